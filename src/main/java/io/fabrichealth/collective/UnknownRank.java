package io.fabrichealth.collective;

/** A rank of which nothing, or not all, could be read. */
public record UnknownRank(int rank, String reason) {}
