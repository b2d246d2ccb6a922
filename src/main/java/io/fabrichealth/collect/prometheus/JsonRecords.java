package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * A page of JSON: objects that name a port by {@code node_guid} and {@code port_num}, wherever in
 * the page they stand.
 */
final class RecordsRequest {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final PortRecords records;
  private boolean isOpen;
  private boolean hasGuid;

  RecordsRequest(PortRecords records) {
    this.records = records;
  }

  void read(InputStream in) throws IOException {
    // Not what the parser would guess from the first bytes.
    Reader text = new InputStreamReader(in, StandardCharsets.UTF_8);
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken token;
      while ((token = parser.nextToken()) != null) {
        take(parser, token);
      }
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (UnexpectedEndOfInputException e) {
      records.cut();
    } catch (JacksonException e) {
      records.bad("the page", "JSON: " + e.getOriginalMessage());
    }
  }

  private void take(JsonParser parser, JsonToken token) {
    if (token == JsonToken.START_OBJECT) {
      records.begin();
      isOpen = true;
      hasGuid = false;
    } else if (token == JsonToken.END_OBJECT) {
      if (isOpen && hasGuid) {
        records.end();
      }
      isOpen = false;
    } else if (isOpen && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
      String name = parser.currentName();
      if (name != null) {
        member(name, parser.getString());
      }
    }
  }

  private void member(String name, @Nullable String value) {
    if (value == null) {
      return;
    }
    String label = PortRecords.label(name);
    if (label != null) {
      hasGuid |= label.equals("node_guid");
      records.addLabel(label, value);
    } else if (name.equals("timestamp")) {
      records.setTime(value);
    } else {
      int metric = records.metric(name);
      if (metric >= 0) {
        records.addNumber(metric, value);
      }
    }
  }
}
