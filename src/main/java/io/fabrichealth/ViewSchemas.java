package io.fabrichealth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the schemas of the views, and of what is reported of jobs, say what their records say:
 * every property is always there, but may be null where it is {@link Nullable}; where nulls are
 * left out, of a view or of a property, it may be absent.
 */
class ViewSchemas implements ModelConverter {

  @Override
  public @Nullable Schema<?> resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    if (!chain.hasNext()) {
      return null;
    }
    Schema<?> schema = chain.next().resolve(type, context, chain);
    JavaType java = Json.mapper().constructType(type.getType());
    if (schema != null && java.getRawClass().isRecord() && isView(java.getRawClass())) {
      String reference = schema.get$ref();
      Schema<?> model =
          reference == null
              ? schema
              : context.getDefinedModels().get(reference.substring(reference.lastIndexOf('/') + 1));
      if (model != null && model.getProperties() != null) {
        describe(model, java.getRawClass());
      }
    }
    return schema;
  }

  private static boolean isView(Class<?> type) {
    return type.getPackageName().startsWith(ViewSchemas.class.getPackageName())
        && (type.getSimpleName().endsWith("View") || type.getSimpleName().startsWith("Reported"));
  }

  private static void describe(Schema<?> model, Class<?> view) {
    List<String> required = new ArrayList<>();
    for (RecordComponent component : view.getRecordComponents()) {
      String name = component.getName();
      boolean leavesOutNulls =
          view.isAnnotationPresent(JsonInclude.class)
              || component.getAccessor().isAnnotationPresent(JsonInclude.class);
      boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (!nullable || !leavesOutNulls) {
        required.add(name);
      }
      if (nullable && !leavesOutNulls) {
        model.getProperties().compute(name, (key, property) -> orNull(property));
      }
    }
    model.setRequired(required);
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  private static @Nullable Schema orNull(@Nullable Schema property) {
    if (property == null) {
      return null;
    }
    if (property.get$ref() != null) {
      Schema<?> reference = new Schema<>().$ref(property.get$ref());
      return new Schema<>()
          .description(property.getDescription())
          .oneOf(List.of(reference, new Schema<>().types(Set.of("null"))));
    }
    if (property.getTypes() != null) {
      Set<String> types = new LinkedHashSet<>(property.getTypes());
      types.add("null");
      property.setTypes(types);
    }
    if (property.getEnum() != null && !property.getEnum().contains(null)) {
      List<Object> values = new ArrayList<>(property.getEnum());
      values.add(null);
      property.setEnum(values);
    }
    return property;
  }
}
