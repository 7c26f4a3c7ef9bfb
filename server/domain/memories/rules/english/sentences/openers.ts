// Removes words around a statement: greetings by name, "by the way", "please remember that", "right?".

interface Row {
  readonly pattern: RegExp;
  /** Test cases: the sentence and its rest. */
  readonly example: readonly [string, string];
}

/** Removed from the start, repeatedly. */
const FRONT: readonly Row[] = [
  {
    pattern: /^(?:[:;=]['-]?[)(DPp/|]+|<3|\p{Extended_Pictographic}\ufe0f?)\s*/u,
    example: [':) I live here', 'I live here'],
  },
  {
    pattern:
      /^(?:\p{L}+[ -]){0,2}(?:update|intro|introduction|note|news|heads-up|reminder|background|context|summary|recap|correction|status|aside|about me|(?:first|next|last|more|other) thing)\s*(?::|\s[–—-]+)\s+/iu,
    example: ['Small update - I quit the bank', 'I quit the bank'],
  },
  {
    pattern:
      /^(?:as for me|for me|personally|speaking of(?: [^,]{3,30})?|thanks? (?:you )?for (?:the|your|all) [^,]{3,30}(?=, (?:I|we|my|our)\b)|I (?:totally |fully |completely )?agree(?: with you)?(?=, (?:I|we|my|our)\b)|on (?:another|a different) note|on (?:a|the) bright(?:er)? side|not only [^,]{3,20}|when it comes to [^,]{3,30}),\s+/i,
    example: ['As for me, I run', 'I run'],
  },
  {
    pattern:
      /^(?:hi|hello|hey|heya|hiya|yo|good (?:morning|afternoon|evening))(?: there| again| all| everyone| guys| (?!I\b)\p{Lu}\p{Ll}+)?\s*[,!.;:–—-]+\s*/iu,
    example: ['Hey Bob, I moved to Rome', 'I moved to Rome'],
  },
  {
    pattern: /^(?:hi|hello|hey|heya|hiya)(?: there| again| all| everyone| guys)?\s+(?=(?:I|we|my)\b)/i,
    example: ['hi I live in Rome', 'I live in Rome'],
  },
  {
    pattern:
      /^(?:oh|ah|aw+|wow|ooh|haha+|hehe|lol|hm+|uh+|um+|er|well|so|ok|okay|alright|yeah|yep|yes|yup|no|nope|nah|sure|right|exactly|absolutely|definitely|totally|of course|great|nice|cool|awesome|woah|whoa|thanks?(?: you)?(?: so much| a lot)?|anyway|anyways|btw|also|and|but|plus|then|now|look|listen|see|hey|man|dude|guys|correction|update|edit|fyi|note|reminder|ps|p\.s\.|still|though|actually|honestly|basically|frankly|luckily|unfortunately|sadly|fortunately|apparently|obviously|interestingly|surprisingly|speaking of which|first of all|overall|meanwhile|besides|additionally|moreover|furthermore|however|therefore|these days|nowadays|currently|recently|lately|right now|at the moment|for now|(?:great|good|bad|sad|big|exciting|amazing|awesome) news)\s*(?:[,!:;.–—-]+\s+|[,!:;–—-]+\s*)/iu,
    example: ['Well, actually, I moved to Rome', 'I moved to Rome'],
  },
  {
    pattern:
      /^(?:these days|nowadays|currently|recently|lately|right now|at the moment|actually|honestly|also|so|and|but|well|yeah|yes|no|ok|okay|btw|fyi|lol|tbh|anyway|plus|oh|basically|luckily|unfortunately|sadly|apparently|finally|turns out(?: that)?|it turns out(?: that)?)\s+(?=(?:I|we|my|our|he|she|the|there|it|they)\b)/iu,
    example: ['Turns out I am not allergic', 'I am not allergic'],
  },
  {
    pattern:
      /^(?:please |pls |can you |could you |also |just )*(?:remember|note|keep in mind|bear in mind|don't forget|make a note|save|store|be aware|know|fyi|for your information|for the record|for context|for reference|just so you know|so you know|you should know|as you know|not sure if I(?: have)? (?:told you|mentioned (?:it|this))(?: before|already)?,? but|as I said|as I mentioned(?: before| earlier)?|like I said|I(?: have)? (?:already )?(?:told you|mentioned|said)(?: before)?|by the way|in case you (?:missed it|didn't know|forgot)|believe it or not|to be honest|tbh|fun fact|good news|bad news|big news|long story short|guess what|the thing is|the truth is|fact is|one more thing|in other words|I should (?:mention|add|say|note)|I forgot to (?:mention|say|tell you)|I just wanted to (?:say|let you know)|I wanted to (?:say|let you know)|let me tell you|I (?:must|have to|gotta|got to) (?:say|admit|tell you)|I am happy to (?:say|report|announce)|I am excited to (?:say|share|announce))(?: that)?\s*[,:;!–—-]*\s+/iu,
    example: ['Please remember that the key is under the mat', 'the key is under the mat'],
  },
  {
    pattern:
      /^(?:[Aa]lso|[Aa]nd|[Bb]ut|[Ss]o|[Bb]tw|[Pp]lus|[Oo]h|[Ww]ell)\s+(?=\p{Lu}\p{Ll}+(?:'s)? \p{Ll})/u,
    example: ['also Theo turned 7', 'Theo turned 7'],
  },
  {
    pattern:
      /^(?:surely|and|but|plus|(?:oh|ah|yes|yeah|yep|ok|okay|no|heads up|quick note),? (?:and|but|so)|heads up,)\s+(?=\p{L})/iu,
    example: ['And here is a picture', 'here is a picture'],
  },
  {
    pattern:
      /^(?:(?:I |we )?have not |haven't |hadn't |been )[^,.]{3,40}[,;]? (?:but |and |so )?(?:I )?(?:just )?wanted to (?:let you know|tell you|say)(?: that)?\s+/i,
    example: ["Haven't talked in a while, wanted to let you know I moved to Rome", 'I moved to Rome'],
  },
  {
    pattern:
      /^(?:I|we) (?:have|haven't|did|didn't|do|don't|am|was|wasn't|can|can't)\s*[,.;!–—-]+\s+(?=(?:I|we|my|our)\b)/i,
    example: ["I haven't. I have been painting", 'I have been painting'],
  },
  {
    pattern:
      /^I (?:actually |also )?have (?:something new|(?:some )?(?:exciting|great|good|big|amazing|awesome) news)\s*[,:!.–—-]+\s+(?=\p{L}+ \p{L})/iu,
    example: ['I actually have something new, I moved', 'I moved'],
  },
  {
    pattern: /^I have been thinking,? (?:and|so|but)\s+(?=I\b)/i,
    example: ['I have been thinking and I made a plan', 'I made a plan'],
  },
  {
    pattern: /^(?:not|nothing)\b[^,.]{2,40}, but\s+(?=(?:I|we|my|our)\b)/i,
    example: ['Not in any clubs, but I run', 'I run'],
  },
  {
    pattern:
      /^I (?:will|must|have to) be honest(?: with you)?,?\s+|^I am (?:so |really |super |very )?(?:happy|excited|glad|thrilled|proud) to tell you(?: that)?\s+/i,
    example: ['I am so excited to tell you I passed', 'I passed'],
  },
  {
    pattern: /^(?!i+\b)(?=\p{L}{3,10}\b[,!]?\s)\p{L}*(\p{L})\1\1\p{L}*[,!.]*\s+/iu,
    example: ['sooo I moved to Rome', 'I moved to Rome'],
  },
  {
    pattern:
      /^(?:(?:a |one )?(?:quick|small|silly|stupid|random|another|short|little) (?:question|one)(?: (?:about|on|for) [^,:;.?]{3,40})?|(?:\p{L}+ )?question)\s*[,:;–—-]+\s+(?=\p{L}+ \p{L})/iu,
    example: ['Quick question about tyres, I drive a van', 'I drive a van'],
  },
  {
    pattern:
      /^since (?:we (?:last )?(?:spoke|talked|chatted|met)(?: last)?|(?:our|the) last (?:chat|talk|call))\b,?\s+/i,
    example: ['Since we last spoke, I joined a gym', 'I joined a gym'],
  },
  { pattern: /^(?:that|because)\s+(?=(?:I|we|my)\b)/i, example: ['that I live here', 'I live here'] },
  {
    // A title in quotation marks stays whole: "Brave" by Sara Bareilles.
    pattern: /^(?:(?!["“][\p{Lu}\d][^"“”]{0,60}["”] \p{L})[\s"“”'‘’(),;:–—-])+/u,
    example: ['“ I live here', 'I live here'],
  },
];

/** Removed from the end. */
const BACK: readonly Row[] = [
  {
    pattern:
      /(?:\s+(?:btw|fyi|tbh|lol|haha+|[:;=]['-]?[)(DPp/|]+|<3|\p{Extended_Pictographic}\ufe0f?))+[\s.!]*$/iu,
    example: ['I have a new job btw :)', 'I have a new job'],
  },
  {
    pattern:
      /[,;–—-]\s*(?:so )?(?:please )?(?:keep that in mind|remember that|don't forget|just so you know|fyi|btw|by the way|lol|haha+|you know|to be honest|tbh|thanks?(?: you)?|I guess|I think|actually|honestly|though|as you know|as I said)[\s.!]*$/i,
    example: ['I am allergic to nuts, so please keep that in mind.', 'I am allergic to nuts'],
  },
  {
    pattern:
      /,?\s+since (?:we (?:last )?(?:spoke|talked|chatted|met)(?: last)?|(?:our|the) last (?:chat|talk|call))[\s.!]*$/i,
    example: ['I joined a gym since we last spoke', 'I joined a gym'],
  },
  {
    pattern: /,?\s+(?:and|so|but)\s+I (?:am|was) (?:just )?(?:wondering|curious)\b.*$/i,
    example: ['I am training for a race and I was wondering if you have tips', 'I am training for a race'],
  },
  {
    pattern:
      /,?\s+so (?:let us|let's|why not|how about|please|(?:can|could|would|will) you)\b.*$|,\s+(?:can|could|would|will) you\b.*$|,\s+(?:but|and) I (?:am not sure|am unsure|do not know|don't know|(?:want|need) to make sure)\b.*$/i,
    example: ['I like history, so let us talk about Rome', 'I like history'],
  },
  {
    pattern:
      /,\s+(?:is|are|was|were|does|do|did|should|will|would) (?:that|this|it|I|you|they|he|she|we|there) [^,?]*$/i,
    example: ['My watch loses a minute a day, is that normal', 'My watch loses a minute a day'],
  },
  {
    pattern:
      /[,;]?\s+(?:wish me luck|be proud of me|touch wood|knock on wood|fingers crossed|bless (?:him|her|them)|poor (?:thing|soul|guy)|don't (?:laugh|judge me)|gr{2,}|br{2,}|k{3,})[\s.!]*$/i,
    example: ['My uncle eats everything, bless him', 'My uncle eats everything'],
  },
  {
    pattern: /,?\s+(?:and wow\b.*|(?:just )?check it out[\s.!]*)$/i,
    example: ['I ran a race, check it out', 'I ran a race'],
  },
  {
    pattern: /,\s+so you can\b.*$|,\s+as you (?:suggested|recommended|advised|said|told me)[\s.!]*$/i,
    example: ['I upgraded to Pro, as you suggested', 'I upgraded to Pro'],
  },
  {
    pattern: /,?\s+so (?:if|when|whenever) (?:I|you|we)\b.*$/i,
    example: ['I work nights so if I write late, that is why', 'I work nights'],
  },
  {
    pattern: /,\s+(?:so )?(?:how|what|where|which|when) (?:can|do|does|should|would|could|is|are) .*$/i,
    example: ['I am a nurse, how can I sleep better', 'I am a nurse'],
  },
];

/** "He prefers, you know, tea." */
const FILLER = /,\s+(?:you know|like|I mean|(?:like|as) I (?:said|mentioned))(?=,)/gi;

const strip = (text: string, rows: readonly Row[]): string =>
  rows.reduce((rest, { pattern }) => rest.replace(pattern, ''), text);

/** The statement of a sentence, without the words around it. */
export const core = (sentence: string): string => {
  let rest = sentence.trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = strip(rest, FRONT);
  }
  return strip(rest.replace(FILLER, ''), BACK).trim();
};

export const openerExamples = [...FRONT, ...BACK].map(({ example }) => example);
