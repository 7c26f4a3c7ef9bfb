// The flags of a chunk, as stored numbers and as questions about them.

export const FLAG = { conversation: 1, chat: 2, assistant: 4, question: 8 } as const;

export const isConversation = (flags: number): boolean => (flags & FLAG.conversation) !== 0;

/** Between a user and an assistant. */
export const isRoleChat = (flags: number): boolean => (flags & FLAG.chat) !== 0;

export const isAssistant = (flags: number): boolean => (flags & FLAG.assistant) !== 0;

export const endsInQuestion = (flags: number): boolean => (flags & FLAG.question) !== 0;

/** Between people with names. */
export const isDialogue = (flags: number): boolean => isConversation(flags) && !isRoleChat(flags);
