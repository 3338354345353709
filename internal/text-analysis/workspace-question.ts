// Decision, in several languages, whether a prompt is a question that quotes of files answer, or an order.

/**
 * Number of characters above which a text is more than a question, such as a specification, so that quotes
 * are not enough.
 */
const maxQuestionChars = 600

/** Matches words that may precede the first word with a meaning. */
const opening = new RegExp(
  '^(?:[\\s"\'“”„«»‘’([*_>#¿¡-]|(?:hi|hello|hey|hallo|bonjour|salut|hola|ok|okay|so|and|und|' +
    "et|y|please|bitte|s'il (?:te|vous) plaît|por favor|anode)\\b[\\s,:!]*)+",
  'iu',
)

/** First words of a question, which may lack its question mark. */
const questionWords = [
  "what|what's|which|who|who's|whom|whose|where|where's|when|why|how|is there|are there",
  'was|wer|wem|wen|wessen|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche[rsnm]?|womit|' +
    'worin|wozu|wodurch|gibt es',
  "qu'est-ce|que|quel|quelle|quels|quelles|qui|où|quand|pourquoi|comment|combien|est-ce|y a-t-il",
  'qué|cuál|cuáles|quién|quiénes|dónde|cuándo|por qué|cómo|cuánto|cuánta|cuántos|cuántas|hay',
  'che cosa|cosa|quale|quali|chi|dove|quando|perché|come|quanto|quanti|o que|qual|quais|' +
    'quem|onde|por que|quantos',
  'wat|welke|wie|waar|wanneer|waarom|hoe|hoeveel',
  'что|какой|какая|какое|какие|кто|где|куда|когда|почему|зачем|как|сколько',
].join('|')
const asks = new RegExp(`^(?:${questionWords})(?![\\p{L}\\p{N}])`, 'iu')

/** Matches requests to look something up, which quotes can answer. */
const lookUp = new RegExp(
  '^(?:(?:find|locate|show|search for|look up)(?: me)?(?: out)?(?: the (?:place|file|line|' +
    'code|definition))?' +
    '|(?:tell|show|explain)(?: to)?(?: me| us)?|explain|describe' +
    '|(?:zeig|zeige|sag|sage|erklär|erkläre)(?: mir| uns)?|finde(?: heraus)?' +
    '|(?:dis|dites|montre|montrez|explique|expliquez)(?:[- ]moi|[- ]nous)?|trouve|trouvez' +
    `|(?:dime|muéstrame|explícame|encuentra))[\\s,:]+(?:${questionWords})(?![\\p{L}\\p{N}])`,
  'iu',
)

/** Matches polite forms of a request. The words after them decide what it is. */
const polite = new RegExp(
  "^(?:can|could|would|will) you(?: please| kindly)?[\\s,]+|^(?:do you know|i(?:'d|" +
    ' would) like to know|i want to know|ich (?:möchte|will) wissen|weißt du|sais-tu|' +
    'savez-vous|sabes)[\\s,]+',
  'iu',
)

/** Matches requests whose wish comes last or is ambiguous. They count as orders. */
const request = new RegExp(
  [
    '^(?:can|could|shall|should|may|must|let) (?:you|we|i|us)(?![\\p{L}])',
    "^(?:let's|how about|what about|why not|why don't (?:you|we)|would it be possible|" +
      'would you mind|mind)(?![\\p{L}])',
    '^(?:kannst|könntest|würdest|magst|willst|wirst) du(?![\\p{L}])|^(?:können|könnten|' +
      'würden|wollen|sollen) (?:sie|wir)(?![\\p{L}])|^wie wäre es',
    '^(?:peux|pourrais|veux)-tu|^(?:pouvez|pourriez|voulez)-vous|^(?:tu peux|vous pouvez|' +
      'on peut)(?![\\p{L}])',
    '^(?:puedes|podrías|puede usted|podría|podemos|quieres)(?![\\p{L}])|^(?:puoi|potresti|' +
      'você pode|poderia|pode)(?![\\p{L}])',
    '^(?:kun|kan|zou) (?:je|jij|u)(?![\\p{L}])|^(?:можешь|можете|мог бы|не мог)(?![\\p{L}])',
    '请|帮我|帮忙|能不能|(?:て|で)(?:ください|くれ|もらえ|いただけ|ほしい)|お願い|해 ?주',
  ].join('|'),
  'iu',
)

/** Matches requests for a judgment or a proposal, which no file contains. */
const judgement = new RegExp(
  '(?<!\\p{L})(?:(?:would|do|should|could|might) you|you (?:think|suggest|recommend|would)|' +
    'should (?:i|we)|could (?:i|we)|(?:be|been) improved|your (?:opinion|view|advice)|' +
    'a (?:good|better) (?:name|message|title|way to (?:write|fix|rewrite|refactor))|' +
    'sollte(?:n|st)? (?:ich|wir|man)|würdest du|meinst du|devrais-je|devrions-nous|penses-tu|' +
    'pensez-vous|debería(?:mos)?|recomiendas)(?!\\p{L})',
  'iu',
)

/** Verbs of changing and writing. After `and` or a comma, such a verb is a second wish. */
const verbs =
  'write|rewrite|add|fix|mend|repair|change|create|make|implement|remove|delete|rename|' +
  'refactor|replace|update|upgrade|edit|move|install|run|execute|commit|push|merge|' +
  'generate|draft|summari[sz]e|translate|review|improve|optimi[sz]e|test|build|deploy|' +
  'convert|port|document'
const secondWish = new RegExp(
  `(?:\\band\\b|\\bthen\\b|[,;:])\\s+(?:then\\s+|also\\s+|` +
    `please\\s+)*(?:${verbs})\\s+(?:it|them|this|that|these|those|the|a|an|all|every|your|my|` +
    `our|me|one|tests?)(?!\\p{L})` +
    '|(?<!\\p{L})(?:und|dann)\\s+(?:(?:dann|bitte)\\s+)*(?:schreib|schreibe|behebe|ändere|' +
    'füge|lösche|entferne|erstelle|benenne|ersetze|korrigiere|repariere)(?!\\p{L})' +
    '|(?<!\\p{L})(?:et|puis)\\s+(?:écris|écrivez|corrige|corrigez|ajoute|ajoutez|supprime|' +
    'supprimez|remplace|remplacez)(?!\\p{L})' +
    '|(?<!\\p{L})(?:y|luego)\\s+(?:escribe|corrige|añade|elimina|borra|cambia|reemplaza)(?!\\p{L})',
  'iu',
)

/** Matches an imperative. It stays an order even with a question mark. */
const imperative = new RegExp(`^(?:${verbs})(?!\\p{L})`, 'iu')

/** Matches words that begin a statement, which may precede a question. */
const statement = new RegExp(
  '^(?:i|we|it|the|this|that|there|my|our|in|on|after|ich|wir|es|der|die|das|mein|nach|je|' +
    'nous|le|la|les|il|el|los|las|yo)(?!\\p{L})',
  'iu',
)

/** Matches Chinese and Japanese marks of a question, at its end or inside it. */
const eastern =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}].*(?:[？?]|吗|呢|ですか|ますか|でしょうか)|什么|哪|为什么|怎么|如何|多少|なぜ|どこ|どの|どう|いつ/u

/**
 * Returns true if quotes of files answer every wish in `text`. In doubt it returns false, because a quote
 * that looks like finished work misleads, while a refusal says what to do instead.
 */
export function isWorkspaceQuestion(text: string): boolean {
  const clean = text.normalize('NFC').trim()
  if (clean === '' || clean.length > maxQuestionChars || /```|~~~/.test(clean)) return false
  const sentences = splitSentences(clean)
  return sentences.some(isQuestion) && sentences.every((one) => isQuestion(one) || statement.test(one))
}

/**
 * Returns the sentences without their opening marks. A full stop inside a name such as `a.ts`
 * ends no sentence.
 */
function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?？。！])\s+|(?<=[？。！])|\n+/u)
    .map((sentence) => sentence.replace(opening, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

function isQuestion(sentence: string): boolean {
  const wish = sentence.replace(polite, '').replace(opening, '')
  if (secondWish.test(wish) || judgement.test(wish)) return false
  if (lookUp.test(wish)) return true
  // After a polite form was removed, the rest itself shows whether it is a question.
  if (wish.length < sentence.length) return asks.test(wish)
  if (request.test(wish) || imperative.test(wish)) return false
  return asks.test(wish) || /[?？]["'”’»)\]]*$/u.test(wish) || eastern.test(wish)
}
