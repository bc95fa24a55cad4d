/** Bytes that JSON is made of, as UTF-8 has them. */
export const QUOTE = 34,
  BACKSLASH = 92,
  COMMA = 44,
  COLON = 58,
  OPEN_BRACE = 123,
  CLOSE_BRACE = 125,
  OPEN_BRACKET = 91,
  CLOSE_BRACKET = 93;
