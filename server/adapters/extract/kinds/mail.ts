// Threads of mail that a connection brings: a conversation with the sender and the time of each message.
import { MAIL_THREAD_START, MAIL_THREAD_TYPE } from '../../../core/mail/thread.ts';
import type { Extractor } from '../contract.ts';
import { failure } from '../failures.ts';

export const mailExtractor: Extractor = {
  documentation: {
    formats: 'Threads of mail (from connections)',
    readAs:
      'the words of each message with its sender; quoted text only where the thread lacks the quoted message',
    places: 'the time of each message',
  },
  kinds: {
    mail: {
      label: 'a thread of mail',
      mimeType: MAIL_THREAD_TYPE,
      pace: 'document',
      isText: true,
      detect: {
        declaredTypes: [MAIL_THREAD_TYPE],
        certainText: ({ head }) => head.startsWith(MAIL_THREAD_START),
      },
    },
  },
  read: async ({ text }, sink) => {
    const { readThread } = await import('../mail/read-thread.ts');
    const { subject, parts } = readThread(text);
    if (parts.length === 0)
      throw failure('no_text_found', { what: 'The messages of this thread have no text.' });
    sink.begin({ form: 'prose', title: subject === '' ? undefined : subject });
    for (const part of parts) await sink.part(part);
  },
};
