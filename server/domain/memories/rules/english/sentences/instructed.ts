// Finds the things that an owner's instructions exclude: "Ignore anything about the weather."

const LEAVE_OUT =
  /\b(?:ignore|skip|exclude|omit|leave out|disregard|avoid|never (?:store|save|remember|record|extract|keep|index)|(?:do not|don't) (?:store|save|remember|record|extract|keep|index|include))\s+(?:any(?:thing)?\s+|all\s+|everything\s+)?(?:(?:related to|about|on|regarding|concerning|mentions? of|references? to|information about|details about)\s+)?(?:the\s+|their\s+)?(?<what>[^.;\n]{2,120})/gi;

/** Each thing named, as its words. */
export const leftOutBy = (instruction: string): string[] =>
  [...instruction.matchAll(LEAVE_OUT)].flatMap(({ groups }) =>
    (groups?.what ?? '')
      .split(/,\s*(?:and |or )?|\s(?:and|or)\s/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

export const instructedExamples: readonly (readonly [string, readonly string[]])[] = [
  ['Remember food. Ignore anything about the weather.', ['weather']],
  ['Do not store passwords, salaries or medical details.', ['passwords', 'salaries', 'medical details']],
  ['Remember everything about food.', []],
];
