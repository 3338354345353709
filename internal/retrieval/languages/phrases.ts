// Phrases of questions that mean the same as one word.

/**
 * Groups of words with the meaning of one word. They are replaced by that word, because texts
 * use either form.
 */
const phrases: readonly [RegExp, string][] = [
  [/\b(?:turn|switch)(?:s|ed|ing)? (?:(\S+ ){0,2}?)off\b/gi, 'disable $1'],
  [/\b(?:turn|switch)(?:s|ed|ing)? (?:(\S+ ){0,2}?)on\b/gi, 'enable $1'],
  [/\b(?:tr(?:y|ies|ied|ying)) (?:(\S+ ){0,2}?)again\b/gi, 'retry $1'],
  [/\b(?:shut|shuts|shutting) (?:(\S+ ){0,2}?)down\b/gi, 'shutdown $1'],
  [/\b(?:log|logs|logged|logging|sign|signs|signed|signing) in\b/gi, 'login'],
  [/\b(?:get|gets|getting|got) rid of\b/gi, 'remove'],
  [/\bhow (wide|tall|heavy)\b/gi, '$1'],
  [/\b(?:symbolic|soft) links?\b/gi, 'symlink'],
]

/** Returns the question with one word in place of each phrase. */
export const joinPhrases = (question: string): string =>
  phrases.reduce((text, [phrase, word]) => text.replace(phrase, word), question)
