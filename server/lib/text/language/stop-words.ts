// English words that are too common for search. Contractions count only with their apostrophe: "she'll" is dropped, "shell" is not.

const WORDS = `
a about above after again against all also am an and any are as at be because been before being below between both
but by can cannot could did do does doing down during each few for from further had has have having he her here hers
herself him himself his how i if in into is it its itself just me more most my myself no nor not of off on once only
or other ought our ours ourselves out over own same she should so some such than that the their theirs them themselves
then there these they this those through to too under until up very was we were what when where which while who whom
why with would you your yours yourself yourselves
`;

const CONTRACTIONS = `
aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't shan't shouldn't wasn't weren't won't
wouldn't he'd he'll i'd i'll i'm i've let's she'd she'll they'd they'll they're they've we'd we'll we're we've you'd
you'll you're you've
`;

/** Contractions without their apostrophe or split by a tokeniser; none of these is a word or a name of its own. */
const FRAGMENTS = `
arent cant couldnt couldn didnt didn doesnt doesn dont hadnt hadn hasnt hasn havent haven isnt isn mustnt mustn shant
shouldnt shouldn wasnt wasn werent weren wont wouldnt wouldn im ive theyre theyve weve youd youll youre youve
ll ve s t
`;

export const STOP_WORDS: ReadonlySet<string> = new Set(
  `${WORDS} ${CONTRACTIONS} ${FRAGMENTS}`.trim().split(/\s+/),
);
