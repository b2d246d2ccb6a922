package io.fabrichealth.store;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says on the console what is wrong with storage and what to do, without a stack trace. */
class StorageStartFailureAnalyzer extends AbstractFailureAnalyzer<StorageStartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StorageStartException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
