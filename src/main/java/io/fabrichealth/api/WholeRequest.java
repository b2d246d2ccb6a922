package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A body that is read whole before anything of it is looked at. */
final class WholeRequest {
  private WholeRequest() {}

  /**
   * Reads a body.
   *
   * @param mostBytes how large it may be: whole KB, or whole MB
   * @param what it is, as the subject of a sentence
   * @throws ApiProblem where it is larger
   */
  static byte[] read(InputStream body, int mostBytes, String what) throws IOException {
    byte[] bytes = body.readNBytes(mostBytes + 1);
    if (bytes.length > mostBytes) {
      String most = mostBytes < 1 << 20 ? (mostBytes >> 10) + " KB" : (mostBytes >> 20) + " MB";
      throw new ApiProblem(Kind.TOO_LARGE, what + " may have " + most + ".", List.of());
    }
    return bytes;
  }
}
