// What a chunk's flags say.

export const isConversation = (flags: number): boolean => (flags & 1) !== 0;

/** Between a user and an assistant. */
export const isRoleChat = (flags: number): boolean => (flags & 2) !== 0;

export const isAssistant = (flags: number): boolean => (flags & 4) !== 0;

export const endsInQuestion = (flags: number): boolean => (flags & 8) !== 0;

/** Between people with names. */
export const isDialogue = (flags: number): boolean => isConversation(flags) && !isRoleChat(flags);
