// Concrete words of common topics. A bucket whose key or description names a topic takes statements with these words,
// because statements rarely name their topic: "my sister", and not "relationship".

/** Each line: names of the topic | words of its statements. */
const TOPICS = `
relationship family friend partner people | husband wife spouse partner girlfriend boyfriend son daughter child children baby mother father mum mom dad parents brother sister sibling grandmother grandfather grandma grandpa uncle aunt cousin nephew niece friend neighbour neighbor colleague married engaged divorced
health medical wellbeing fitness | allergic allergy doctor hospital surgery operation medication medicine pill therapy therapist diagnosis diabetes asthma migraine pain injury broke sleep diet pregnant dentist vaccine gym run jog swim yoga weight
work job career profession professional | works working job employer employed boss manager colleague office salary raise promotion hired company engineer developer teacher nurse lawyer consultant client meeting shift
education school study learning | study studies studying student school university college degree course exam thesis class lesson graduate learn learning
travel trip journey holiday vacation | flight fly flew hotel hostel airbnb train trip travel travelling traveling visit visited holiday vacation passport visa airport luggage
food meal cooking nutrition diet | eat eats eating cook cooks cooking dish recipe restaurant breakfast lunch dinner vegan vegetarian coffee tea wine beer bread cheese meat fish
finance financial money spending | bank loan mortgage rent salary budget savings pay pays paid price tax insurance pension invest invested debt credit euros dollars pounds
home housing living | lives live moved house flat apartment rent landlord neighbour neighbor garden kitchen
goal objective aspiration ambition | wants plans hopes aims intends goal target dream training deadline by
hobby interest leisure | plays playing hobby collects paints painting reads reading sings gardening hiking chess piano guitar football tennis photography game
pet animal | dog cat puppy kitten horse rabbit hamster bird parrot fish vet
project building side | builds building project launch ship shipping prototype repository app website
skill competence expertise | fluent expert certified knows speaks programs codes plays learned trained
`;

export interface Topic {
  names: readonly string[];
  words: readonly string[];
}

const readTopic = (line: string): Topic => {
  const [names = '', words = ''] = line.split(' | ');
  return { names: names.split(' '), words: words.split(' ') };
};

export const TOPICS_WITH_WORDS: readonly Topic[] = TOPICS.trim().split('\n').map(readTopic);
