// Phrases of questions that mean the same as one word.

/**
 * Groups of words with the meaning of one word. They are replaced by that word, because texts
 * use either form.
 */
const phrases: readonly [RegExp, string][] = [
  [/\b(?:turn|switch)(?:s|ed|ing)? ((?:\S+ ){0,2}?)off\b/gi, 'disable $1'],
  [/\b(?:turn|switch)(?:s|ed|ing)? ((?:\S+ ){0,2}?)on\b/gi, 'enable $1'],
  [/\b(?:tr(?:y|ies|ied|ying)) ((?:\S+ ){0,2}?)again\b/gi, 'retry $1'],
  [/\b(?:shut|shuts|shutting) ((?:\S+ ){0,2}?)down\b/gi, 'shutdown $1'],
  [/\b(?:log|logs|logged|logging|sign|signs|signed|signing) in\b/gi, 'login'],
  [/\b(?:get|gets|getting|got) rid of\b/gi, 'remove'],
  [/\bhow (wide|tall|heavy)\b/gi, '$1'],
  [/\b(?:symbolic|soft) links?\b/gi, 'symlink'],
  [/\bthr(?:ow|ows|owing|ew|own) ((?:\S+ ){0,2}?)away\b/gi, 'discard $1'],
  [/\b(?:leav(?:e|es|ing)|left) ((?:\S+ ){0,2}?)out\b/gi, 'exclude $1'],
  [/\b(?:bring(?:s|ing)?|brought) ((?:\S+ ){0,2}?)back\b/gi, 'restore $1'],
  [/\b(?:carr(?:y|ies|ied|ying)|go(?:es|ing)?|went) on\b/gi, 'continue'],
  [/\bphas(?:e|es|ed|ing) ((?:\S+ ){0,2}?)out\b/gi, 'deprecate $1'],
  [/\bkick(?:s|ed|ing)? ((?:\S+ ){0,2}?)out\b/gi, 'evict $1'],
  [/\bturn(?:s|ed|ing)? ((?:\S+ ){1,2}?)into\b/gi, 'convert $1'],
  [/\bside by side\b/gi, 'parallel'],
  [/\b(?:of|with) (?:zero|no) length\b|\bzero[- ]length\b/gi, 'empty'],
  [/\bon (?:its|their|my) own\b/gi, 'automatically'],
]

/** Returns the question with one word in place of each phrase. */
export const joinPhrases = (question: string): string =>
  phrases.reduce((text, [phrase, word]) => text.replace(phrase, word), question)
