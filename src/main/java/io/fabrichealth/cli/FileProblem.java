package io.fabrichealth.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says why a file could not be used, for people. */
final class FileProblem {

  private FileProblem() {}

  static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "no such file or directory";
      case AccessDeniedException denied -> "permission denied";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
