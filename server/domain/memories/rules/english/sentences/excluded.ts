// Sentences without a statement: questions, requests, suppositions, greetings, thanks, reactions.
// Each table row is a pattern on the sentence as expanded and without its openers, with sentences that it must catch.
import { createMemo } from '../../../../../lib/memo.ts';
import { clauseOf } from '../grammar/clause.ts';

/** Words before a condition or a limit of time. */
export const SUBORDINATE =
  /^(?:if|when|whenever|while|since|because|although|though|after|before|as|once|unless|until|suppose|imagine|assume|assuming|(?:the (?:first|last|next|only)|every|each) time(?= (?:that )?(?:I|we|he|she|they|my|our)))\b/i;
export const CONDITION =
  /^(?:if|suppose|supposing|imagine|assume|assuming|say|let us say|unless|what if|hypothetically)\b/i;

export interface Exclusion {
  readonly why: 'question' | 'request' | 'supposition' | 'greeting' | 'reaction' | 'showing';
  readonly pattern: RegExp;
  /** The sentence comments on the one before and may be joined with it. */
  readonly leans?: boolean;
  readonly examples: readonly string[];
}

const INVERTED =
  "(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|shall|may|might|must|isn't|aren't|wasn't|don't|doesn't|didn't|haven't|hasn't|can't|couldn't|won't|wouldn't|shouldn't)";

const IMPERATIVES =
  "tell|write|rewrite|translate|summari[sz]e|explain|describe|list|create|generate|make|find|search|look up|recommend|suggest|compare|calculate|convert|check|fix|debug|draft|edit|improve|shorten|expand|continue|go|stop|start|try|use|add|remove|delete|change|update|replace|send|read|open|close|call|book|order|buy|play|set|turn|put|take|come|get|keep|act|pretend|imagine|suppose|assume|think of|picture|say|repeat|answer|respond|reply|ask|include|provide|design|build|implement|run|schedule|plan|prepare|organi[sz]e|analy[sz]e|review|propose|consider|don't (?:worry|forget|hesitate|tell|mention|use|do|be|let|give)|be (?:careful|sure|nice|safe|strong|good|kind)|make sure|click|contact|see|visit|learn more|read more|subscribe|sign up|follow|share|download|wait|hold on|feel free|forget|ignore|remind|note|enter|select|choose|save|submit|walk me|teach|help|give|show|bring|leave|join|watch|listen|remember|press|type|paste|copy|import|install";
/** "Build: webpack 5": nouns that head a line. "Translate: …" asks for something. */
const LABELS = '(?:build|design|plan|schedule|order|contact|book|visit)';
const AFTER_IMPERATIVE =
  '(?:me|us|it|this|that|these|those|the|an?|my|your|our|them|him|her|to|how|what|if|up|out|here|all|some|any)\\b';

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    // Output of a program: whoever sends it asks what it means.
    why: 'question',
    pattern:
      /^(?:[\w.]*(?:Error|Exception|Warning)\b(?: \[\w+\])?:|Traceback \(|error TS\d|npm (?:ERR|WARN)|fatal: |at \S+ \()/,
    examples: ["KeyError: 'id'", 'npm ERR! code ENOENT', 'fatal: not a git repository'],
  },
  {
    why: 'question',
    pattern: /\?[\s"'”’)\]]*$/u,
    examples: ['Where do you live?', 'You live in Rome, right?', 'Any plans?'],
  },
  {
    why: 'question',
    pattern: new RegExp(
      String.raw`^(?:and |so |but |or )?${INVERTED}\s(?:I|you|he|she|it|we|they|there|this|that|these|those|anyone|anybody|someone|your|my|the|any)\b`,
      'i',
    ),
    examples: ['Do you know what I like to eat', 'Could you explain how I get a ticket', 'Is there a bus'],
  },
  {
    why: 'question',
    pattern: new RegExp(
      String.raw`^(?:what|where|who|whom|whose|which|why|how|when)(?:'s| (?:kind|sort|type|time|day|much|many|long|far|often|about|else|exactly|come|on earth)\b.{0,20}?)?\s(?:${INVERTED})\b`,
      'i',
    ),
    examples: [
      'What is the best way to go',
      'How do I reset it',
      'How much does it cost',
      'When are you leaving',
    ],
  },
  {
    why: 'question',
    pattern:
      /^(?:what about|how about|how come|what if|any (?:idea|tips|advice|thoughts|suggestions|plans|news)|anything|guess (?:what|who)|wanna|want to|ready to|got any|ever)\b/i,
    examples: ['How about you', 'Any plans for tonight'],
  },
  {
    why: 'question',
    pattern:
      /^I (?:am|was) (?:just )?(?:wondering|curious|asking)\b|^I (?:would )?(?:wonder|(?:would )?(?:like|love|want) to (?:know|ask|hear|see (?:how|what|if)))\b|^tell me\b/i,
    examples: ['I was wondering whether trains run', 'I would like to know more', 'Tell me about Rome'],
  },
  {
    // A picture that somebody shows is no statement, unless it shows whom they name: "a photo of my dog Rex".
    why: 'showing',
    pattern:
      /^(?:(?:[Hh]ere|[Tt]his|[Tt]hat) (?:is|was)|[Cc]heck out|(?:[Tt]ake a )?[Ll]ook at)\b(?!.*\b(?:my|our) (?:\p{L}+ )?(?!(?:to|in|of|at|from|with|for)\b)\p{Ll}+,? (?:called |named )?\p{Lu}\p{Ll})(?=[^,.]*\b(?:pics?|photos?|pictures?|shots?|snaps?|selfies?|screenshots?)\b)/u,
    examples: [
      'Here is a pic I took at the lake',
      'Check out this photo of the beach',
      'Check out this pic of my way to Oslo',
    ],
  },
  {
    why: 'request',
    pattern: new RegExp(
      String.raw`^(?:please|kindly|let us|let me|just|now|then|also)?\s?(?!${LABELS}:)(?:${IMPERATIVES})\b(?!-)(?!\s(?!${AFTER_IMPERATIVE})(?:[\p{L}'-]+\s){0,3}(?:is|was|are|were|has|had|will|starts|ends|takes)\b)`,
      'iu',
    ),
    examples: [
      'Write a haiku about rain',
      'Please book a flight',
      'Let us start over',
      'Click here to learn more',
      'See below for details',
      'Book me a flight, please',
    ],
  },
  { why: 'request', pattern: /^(?:please|kindly|let us|lets|let me)\b/i, examples: ['Let us start over'] },
  {
    why: 'request',
    pattern:
      /^I (?:need|want|(?:would|'d) (?:like|love|appreciate|prefer)) (?:you|it if you|your (?:help|advice|opinion|thoughts))\b|^I (?:need|could use|am looking for) (?:some |a (?:bit|little) of )?(?:help|advice|suggestions|recommendations|tips|ideas)\b|^(?:can|could|would|will) you\b/i,
    examples: [
      'I need you to check this',
      'I need some help with my code',
      'I would like you to answer briefly',
    ],
  },
  {
    why: 'supposition',
    pattern:
      /^(?:if only|if|perhaps|maybe|suppose|supposing|imagine|assume|assuming|say|let us say|what if|pretend|picture|hypothetically|in theory|unless|wish)\b|\b(?:I|we) (?:really |just |so )?wish\b|\bif (?:I|we|he|she|they|it) (?:could|would|had|were|was|won)\b|^(?:I|we|he|she|they|you) (?:would|could|should|might|'d) have\b|^(?:I|we) (?:would|'d) (?!(?:really |so )?(?:like|love|prefer|rather|say|hate)\b)/i,
    examples: [
      'If I lived in Hawaii, I would surf',
      'I wish I had a garden',
      'Suppose I work at a bank',
      'I would live in Spain if I could',
      'I should have called',
    ],
  },
  {
    why: 'greeting',
    pattern:
      /^(?:hi|hello|hey|heya|hiya|howdy|yo|good (?:morning|afternoon|evening|night|day|luck)|morning|welcome(?: back)?|bye|goodbye|farewell|see (?:you|ya)|talk (?:to you )?(?:soon|later)|catch (?:you|up) (?:soon|later)|take care|take it easy|have (?:a|an|fun|lots|your)|enjoy|cheers|congrat\w*|happy (?:birthday|anniversary|new year|holidays|to (?:help|hear|assist|see))|merry|best (?:of luck|wishes|regards)|(?:kind|warm) regards|sincerely|yours|love you|miss you|sleep well|safe travels|get well|long time no see|nice to (?:meet|see|hear)|(?:great|good|lovely|glad|pleased|so good|so great|always (?:great|good|nice)|wonderful|fantastic) to (?:meet|see|hear|know|chat|catch)|how are you|what is up|what's up|keep (?:in touch|me posted|it up|up)|stay (?:safe|strong|in touch|tuned)|looking forward|can't wait|let me know|hope|fingers crossed|god bless)\b/i,
    examples: [
      'Good morning',
      'Talk to you later',
      'Take care, bye',
      'Have a nice day',
      'Long time no see',
      "Can't wait to see you",
    ],
  },
  {
    why: 'greeting',
    pattern:
      /^(?:many |a lot of |so much )?(?:thanks|thank you|thx|ty|much appreciated|appreciate|I (?:really |truly |so )?(?:appreciate|thank))\b|^you are (?:very |most |so )?welcome|^(?:no (?:problem|worries|need)|not at all|my pleasure|anytime|don't mention it|you too|same to you|likewise|same here|me (?:too|neither)|ditto)\b/i,
    examples: ['Thanks a lot, that was very helpful', 'You are welcome', 'No worries'],
  },
  {
    why: 'reaction',
    pattern:
      /^(?:that|this|it|these|those|everything|all that)(?: (?:all|really|just|also|definitely|certainly|totally|actually|always))* (?:is|was|are|were|sounds?|looks?|seems?|must|will|would|should|makes?|made|feels?|felt|has|had|means?|depends|works|helps?|isn't|wasn't|doesn't|can)\b(?! (?:called|named|on|at|in|\d))(?:[^\s]*\s){0,9}[^\s]*$/i,
    leans: true,
    examples: ['That is amazing', 'It was so much fun', 'This sounds like a great plan'],
  },
  {
    why: 'reaction',
    pattern:
      /^(?:wow|whoa|omg|oh|ah|aw+|ha(?:ha)*|lol|yes|yeah|yep|yup|no|nope|nah|ok|okay|k|sure|right|exactly|absolutely|definitely|totally|indeed|true|agreed|of course|certainly|perfect|great|good|nice|cool|awesome|amazing|wonderful|fantastic|excellent|lovely|beautiful|brilliant|incredible|interesting|impressive|fun|funny|sweet|neat|gotcha|understood|noted|done|fair|sorry|really|seriously|impressive|inspiring|delicious|same|ditto)(?=$|\s*[.,!;:…]|\s(?:job|call|point|idea|to|news|stuff|work|one|choice|for|that|it|you|thing|enough|on|about|too)\b)/i,
    examples: ['Wow', 'Great to hear', 'Good idea', 'Sure thing'],
  },
  {
    why: 'reaction',
    pattern:
      /^(?:sounds?|looks?|seems?|feels?|smells?|tastes?) (?:like|good|great|nice|amazing|awesome|fun|perfect|lovely|delicious|interesting|tough|so|really|very|right|fair|wonderful|incredible|beautiful)\b|^(?:how|such|so|too|pretty|quite|what an?) [\p{L}\s'-]{1,40}$|^(?:love|like|loved|liked) (?:it|that|this|your|the|how)\b|^(?:not (?:bad|sure|really|yet|much)|got it|makes sense|me (?:too|either)|all good|no way|well done|way to go|my goodness|poor \p{L}+|proud of|gl?ad|kudos|props to|bet|happy (?:for|to)|excuse me|pardon|believe me|trust me|as an ai)\b/iu,
    examples: ['Sounds good to me', 'So true', 'Proud of you', 'Love your new photo'],
  },
  {
    why: 'reaction',
    pattern:
      /^(?:so|very|really|too) (?:glad|happy|sorry|proud|excited|thrilled) (?:for |that |to hear )?(?:you|to hear)\b/i,
    examples: ['So glad you had a good time at the fair in May'],
  },
  {
    why: 'reaction',
    pattern:
      /^(?:(?:it is |it has )?been (?:an?|so|ages|forever|too|quite|great|good)\b|(?:must|might|could|should)(?:'ve| have) been\b|(?:totally |completely |couldn't )?agree\b|we(?: have)? got this\b|here (?:is|are) (?:(?:an?|one|some|the|my) )?(?:examples?|links?|pics?|photos?|pictures?|screenshots?|photo report|one|some)(?: of (?:it|them|that|this))?$)|^(?:together,? )?we(?: all| both)? (?:can|could|should|need to|must) (?:this|do|make|all|really|tackle|spread|keep|build|help|change)\b|\b(?:love|miss|admire) you\b/i,
    examples: [
      'Been a while since we talked',
      'Must have been great',
      'Totally agree',
      'We can make a difference',
    ],
  },
  {
    why: 'reaction',
    pattern:
      /^\p{L}+ing\b.{0,120}\b(?:is|are|can be|was|makes?|brings?|looks|feels|takes|sounds)\s(?:(?:so|really|such|super|very|truly|always|also|quite|an?|the|like)\s)*(?:important|vital|key|crucial|amazing|great|fun|good|wonderful|awesome|inspiring|rewarding|special|tough|hard|nice|essential|fantastic|beautiful|powerful|perfect|best|incredible|lovely|impressive)\b/iu,
    examples: ['Taking care of ourselves is so important'],
  },
  {
    why: 'reaction',
    pattern:
      /^(?:(?:(?:it )?(?:sounds?|looks?|seems?) like|sometimes|often|always|usually|\p{L}{3,}ly) )?(?:you|your|yours|yourself|y'all)\b/iu,
    examples: ['You look great', 'Your dog is cute', 'Sounds like you had fun', 'Sometimes you swap tiles'],
  },
  {
    why: 'reaction',
    pattern:
      /^I(?: am|'m| was)? (?:really |so |very |also |just |totally |100 ?% |completely |truly |absolutely |pretty |all |quite |too )*(?:agree|disagree|see(?=$|[.,!])|know(?=$|[.,!]| what| how| right| the feeling| that feeling| you)|understand|get (?:it|that|you)|hear you|bet|guess(?=$|[.,!]| so| not)|think so|hope (?:so|not|you|it|that|this|your|everything|we)|suppose(?=$|[.,!]| so)|can (?:imagine|relate|see|tell|help|assist|do that)|can't (?:wait|believe|imagine|thank|help but)|could(?:n't)? (?:agree|care|not)|look forward|feel (?:you|that|the same|so|like|for)|mean(?=$|[.,!]| it)|(?:would )?be (?:happy|glad|delighted) to|(?:do not|don't) (?:know|mind|think so|understand|get it|remember|blame|have feelings)|fine|good|ok|okay|great|well|here|in(?=$|[.,!])|sure|glad|sorry|proud of you|happy (?:for|to (?:hear|help|see|know|assist))|excited(?= for you|$|[.!,])|thrilled|honou?red|flattered|touched|jealous|impressed|curious|here (?:for|to)|sending|rooting|wish(?:ing)? you|apologi[sz]e|appreciate|thank|promise|swear|owe you|told you|love (?:it|that|this|you|your|how)|like (?:it|that|this|your|how)|loved (?:it|that|this)|will (?:do|try|keep|let you know|see|think about it|definitely|be (?:here|there|sure)|check it out))(?=$|[\s.,!;])/i,
    examples: [
      'I totally agree',
      'I am so happy for you',
      'I see',
      'I am fine',
      'I would be happy to help',
      "I don't know",
      'I hope you have fun',
      'I love that',
    ],
  },
];

const remembered = createMemo<Exclusion | null>(64);

/** The row that excludes the sentence; undefined if it may be a statement. */
export const exclusionOf = (sentence: string): Exclusion | undefined =>
  remembered(sentence, () => EXCLUSIONS.find(({ pattern }) => pattern.test(sentence)) ?? null) ?? undefined;

/** "I just got a puppy, want to see a picture?": the part before the question is a statement. */
const ASKS_BEHIND =
  /[,;.–—-]\s*(?:and |but |so )?(?:did I tell|want to|wanna|can you believe|have you|has your|do you|did you|are you|were you|would you|could you|can you|(?:is|are|was|were|does|do|did|should|will|would) (?:it|that|this|there|they|I|we)|(?:can|could|will|would) (?:one|some(?:one|body)|any(?:one|body)|either)|(?:does|do|did|is|are) (?:more|less|the|an?)|what|how|why|where|when|who|which|any|shall we|know any|right there)\b[^,;]*\?[\s"'”’)]*$/i;
/** "The rate is 58 euros, too low?": a few words ask what to think of a state. */
const ASKS_BRIEFLY = /,\s*(?<asked>[^\s,;:?]+(?:\s[^\s,;:?]+){0,4})\s?\?[\s"'”’)]*$/u;
/** "…, right?" asks if the state holds, and "…, at six?" belongs to it. */
const ASKS_IF =
  /^(?:right|correct|no|not|yes|yeah|true|eh|huh|and|or|but|then|instead|too|also|at|in|on|with|from|to|for|by|of|after|before|until|isn't|aren't|wasn't|don't|doesn't|didn't|won't|haven't|hasn't|i|you|we|he|she|they)\b|\b(?:you|your)$/i;

/** A state of somebody or something named, and not what one might do. */
const isStated = (head: string): boolean => {
  const clause = clauseOf(head);
  return (
    clause !== null &&
    clause.verb.modal === null &&
    !/^(?:you|your|so|then|if|it|that|this|there)\b/i.test(head) &&
    !EXCLUSIONS.some(({ pattern }) => pattern.test(head))
  );
};

export const beforeQuestion = (sentence: string): string | null => {
  if (!sentence.includes('?')) return null;
  const cut = ASKS_BEHIND.exec(sentence);
  if (cut) return cut.index >= 10 ? sentence.slice(0, cut.index) : null;
  const brief = ASKS_BRIEFLY.exec(sentence);
  const head = brief ? sentence.slice(0, brief.index) : '';
  return brief && !ASKS_IF.test(brief.groups?.asked ?? '') && isStated(head) ? head : null;
};

/** "Can you plan our meals, I'm coeliac": what is asked, and what the speaker says of themselves behind it. */
const ASKS_FIRST =
  /^(?:(?:hi|hey|hello|ok|okay|so|also|please|pls)[,!]? )*(?:(?:can|could|would|will|should|shall|do) (?:you|I|we)|help me|any (?:\p{L}+ )?(?:ideas?|tips?|advice|recommendations?|suggestions?)|(?:what|how|where|which)(?: \p{L}+){0,3}? (?:should|can|could|do|does|would|is|are)|(?:is|are) (?:it|there)|suggest|recommend|(?:give|find|show|write|book|tell|make) me)\b[^,;.?]*(?:[,;]|\s(?:because|since|cos|bc))\s+(?=(?:I|im|my|we|our|the|his|her|s?he)\b)/iu;
const OF_SPEAKER = /^(?:I|im|my|we|our)\b/i;

export const requestParts = (sentence: string): string[] => {
  const asked = ASKS_FIRST.exec(sentence)?.[0];
  if (asked === undefined) return [sentence];
  // "What should I cook, the rice or the pasta": a choice has no verb.
  const rest = sentence.slice(asked.length);
  if (!OF_SPEAKER.test(rest) && (rest.includes('?') || clauseOf(rest) === null)) return [sentence];
  return [`${asked.replace(/[\s,;]+$/, '')}?`, rest.replace(/\?$/, '')];
};
