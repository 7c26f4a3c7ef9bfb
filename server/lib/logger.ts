// What a part needs of a log; which log it is gets decided where the service is built.
type Write = (fields: object, sentence: string) => void;

export interface Logger {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
