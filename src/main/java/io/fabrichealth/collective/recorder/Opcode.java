package io.fabrichealth.collective.recorder;

import java.util.Arrays;

/**
 * The opcodes of plain data in Python's pickle, protocols 2 to 5 (Python's {@code
 * Lib/pickletools.py} describes each). What calls or names code (GLOBAL, STACK_GLOBAL, REDUCE,
 * BUILD, INST, OBJ, NEWOBJ, PERSID, EXT) is not among them.
 */
final class Opcode {
  static final int MARK = '(';
  static final int STOP = '.';
  static final int NONE = 'N';
  static final int NEWTRUE = 0x88;
  static final int NEWFALSE = 0x89;
  static final int BININT = 'J';
  static final int BININT1 = 'K';
  static final int BININT2 = 'M';
  static final int LONG1 = 0x8a;
  static final int LONG4 = 0x8b;
  static final int BINFLOAT = 'G';
  static final int BINUNICODE = 'X';
  static final int SHORT_BINUNICODE = 0x8c;
  static final int BINUNICODE8 = 0x8d;
  static final int EMPTY_DICT = '}';
  static final int EMPTY_LIST = ']';
  static final int EMPTY_TUPLE = ')';
  static final int TUPLE = 't';
  static final int TUPLE1 = 0x85;
  static final int TUPLE2 = 0x86;
  static final int TUPLE3 = 0x87;
  static final int APPEND = 'a';
  static final int APPENDS = 'e';
  static final int SETITEM = 's';
  static final int SETITEMS = 'u';
  static final int BINPUT = 'q';
  static final int LONG_BINPUT = 'r';
  static final int MEMOIZE = 0x94;
  static final int BINGET = 'h';
  static final int LONG_BINGET = 'j';
  static final int PROTO = 0x80;
  static final int FRAME = 0x95;

  /** Bytes of the operand that each opcode has at least; -1 of those that are not plain data. */
  private static final byte[] OPERANDS = operands();

  private Opcode() {}

  static int operandBytes(int opcode) {
    return OPERANDS[opcode];
  }

  /** For people: the name of an opcode that dumps have, or that is known for what it can do. */
  static String describe(int opcode) {
    String name =
        switch (opcode) {
          case 'c' -> "GLOBAL";
          case 0x93 -> "STACK_GLOBAL";
          case 'R' -> "REDUCE";
          case 'b' -> "BUILD";
          case 'i' -> "INST";
          case 'o' -> "OBJ";
          case 0x81 -> "NEWOBJ";
          case 0x92 -> "NEWOBJ_EX";
          case 'P' -> "PERSID";
          case 'Q' -> "BINPERSID";
          case 0x82, 0x83, 0x84 -> "EXT";
          case LONG1, LONG4 -> "LONG";
          case BINUNICODE, SHORT_BINUNICODE, BINUNICODE8 -> "BINUNICODE";
          case BINGET, LONG_BINGET -> "BINGET";
          case BINPUT, LONG_BINPUT -> "BINPUT";
          case MEMOIZE -> "MEMOIZE";
          case APPEND, APPENDS -> "APPENDS";
          case SETITEM, SETITEMS -> "SETITEMS";
          case TUPLE, TUPLE1, TUPLE2, TUPLE3 -> "TUPLE";
          case MARK -> "MARK";
          case STOP -> "STOP";
          case PROTO -> "PROTO";
          default -> "opcode";
        };
    return "%s (0x%02x)".formatted(name, opcode);
  }

  private static byte[] operands() {
    byte[] bytes = new byte[256];
    Arrays.fill(bytes, (byte) -1);
    for (int opcode :
        new int[] {
          MARK,
          STOP,
          NONE,
          NEWTRUE,
          NEWFALSE,
          EMPTY_DICT,
          EMPTY_LIST,
          EMPTY_TUPLE,
          TUPLE,
          TUPLE1,
          TUPLE2,
          TUPLE3,
          APPEND,
          APPENDS,
          SETITEM,
          SETITEMS,
          MEMOIZE
        }) {
      bytes[opcode] = 0;
    }
    for (int opcode : new int[] {BININT1, LONG1, SHORT_BINUNICODE, BINPUT, BINGET, PROTO}) {
      bytes[opcode] = 1;
    }
    bytes[BININT2] = 2;
    for (int opcode : new int[] {BININT, LONG4, BINUNICODE, LONG_BINPUT, LONG_BINGET}) {
      bytes[opcode] = 4;
    }
    for (int opcode : new int[] {BINFLOAT, BINUNICODE8, FRAME}) {
      bytes[opcode] = 8;
    }
    return bytes;
  }
}
