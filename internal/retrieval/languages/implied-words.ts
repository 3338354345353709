// Words that a question implies without containing them: "unless set" asks for a default, "how many may"
// for a maximum.

interface ImpliedWord {
  word: string
  /** Weight of the word, which is low because an answer does not need the word. */
  weight: number
}

const setting = '(?:set|chang|giv|configur|specif|defin|provid|pass)'

/** Phrases that mean the same as one word. The phrase is removed from the question, and the word is added. */
const phrases: readonly { pattern: RegExp; implied: ImpliedWord }[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:unless|if not|(?:when|if|where) (?:no(?:body|thing|ne)|no one|no \w+)` +
        String.raw`(?: (?:is|are|has|have))?)(?: \w+){0,3}? ${setting}\w*` +
        '(?: (?:anything|something|otherwise|it|them))?',
      'giu',
    ),
    implied: { word: 'default', weight: 0.4 },
  },
]

/** Forms of questions that imply a further word, which is added. */
const questions: readonly { pattern: RegExp; implied: ImpliedWord }[] = [
  {
    pattern: /\bat most\b|\bhow many\b.*\b(?:can|may|at once|at a time|simultaneously|in parallel)\b/iu,
    implied: { word: 'maximum', weight: 0.4 },
  },
  { pattern: /\bat least\b/iu, implied: { word: 'minimum', weight: 0.4 } },
]

/** Matches verbs with "nothing" and similar words, which describe silence: says nothing, sends no data. */
const silent = new RegExp(
  String.raw`\b(?:say(?:s|ing)?|said|sen(?:d|ds|ding|t)|answer(?:s|ed|ing)?|repl(?:y|ies|ied)) ` +
    String.raw`(?:nothing(?: at all)?|no (?:data|bytes?|reply|answer))\b`,
  'giu',
)

/**
 * Returns a part of a question without the phrases that one word replaces, and the words that it implies.
 * Phrases about silence become the word "silent".
 */
export function readImpliedWords(part: string): { text: string; implied: ImpliedWord[] } {
  const implied: ImpliedWord[] = []
  let text = part.replace(silent, 'silent')
  for (const { pattern, implied: own } of phrases) {
    const without = text.replace(pattern, ' ')
    if (without !== text) implied.push(own)
    text = without
  }
  for (const { pattern, implied: own } of questions) if (pattern.test(part)) implied.push(own)
  return { text, implied }
}

const auxiliary = '(?:is|are|was|were|does|do|did|can|could|may|must|should|will|would|has|have|had)'

/** Matches the word for a measure, such as "hot" in "how hot is the kiln". */
const measured = new RegExp(
  String.raw`(?<=\bhow )(?!${auxiliary}\b)\p{L}+(?= ${auxiliary} ` +
    String.raw`(?:the|an?|its?|this|that|each|every|any)\b)`,
  'giu',
)

/** Matches the word of a comparison, such as "longer" in "longer than". */
const compared = /\b(?!rather|other)\p{Ll}+er(?= than\b)/giu

/** Returns true if a part asks for a measure by a word such as "hot" in "how hot is the kiln". */
export const asksMeasure = (part: string): boolean => part.search(measured) >= 0

/**
 * Returns the words of a part for a measure or a comparison, in lower case. A text states them by a number or
 * in other words, such as "more than".
 */
export const listMeasureWords = (part: string): string[] =>
  [...part.matchAll(measured), ...part.matchAll(compared)].map(([word]) => word.toLowerCase())

const denial = new RegExp(
  String.raw`\b(?:without|no|not|never|ohne|kein\w*|sans|sin)\s+(?:(?:an?|any|the|einen?)\s+)?` +
    String.raw`(?<word>[\p{L}\p{N}_-]+)`,
  'giu',
)

/** Returns the words that a part denies, in lower case: "without a key" denies "key". */
export const listDeniedWords = (part: string): string[] =>
  [...part.matchAll(denial)].flatMap(({ groups }) => groups?.word?.toLowerCase() ?? [])

/** Largest number of characters between a denial and the word that it denies. */
const deniedChars = 24

const denialBefore = /\b(?:without|no|not|never|cannot|needs? no|ohne|kein\w*|sans|sin)\b|n['’]t\b/giu

/**
 * Returns true if a denial such as "no" is at most 24 characters before one of the places, which are indices
 * in the text.
 */
export function deniesAt(text: string, places: readonly number[]): boolean {
  return places.some((at) => {
    denialBefore.lastIndex = 0
    return denialBefore.test(text.slice(Math.max(0, at - deniedChars), at))
  })
}
