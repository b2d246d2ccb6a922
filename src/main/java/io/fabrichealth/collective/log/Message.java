package io.fabrichealth.collective.log;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A message that may begin anywhere in a line and go on in the next: where it was wrapped, a space
 * may be gone.
 *
 * @param anchor how it begins, or what to look for in a line
 * @param pattern from the anchor on
 */
record Message(String anchor, Pattern pattern, Handler handler) {

  /** Takes what matched. */
  interface Handler {
    void found(Speech speech, MatchResult match);
  }

  /**
   * @param form a regular expression in which a space stands for any white space, or none
   */
  static Message of(String anchor, String form, Handler handler) {
    return new Message(anchor, Pattern.compile(form.replace(" ", "\\s*")), handler);
  }
}
