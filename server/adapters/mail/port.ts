// Sends mails through a mail server.

export interface OutgoingMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailTransport {
  /** Resolves with what the server said; rejects with a `MailError`. */
  send(mail: OutgoingMail): Promise<string>;
  close(): void;
}
