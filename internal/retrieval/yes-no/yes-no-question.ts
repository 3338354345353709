// Detection of the parts of a question that want a yes or a no, such as whether a feature exists
// or can be used.
import type { QuestionLanguage } from '../language.ts'

/**
 * Matches, by language, the beginning of a yes-or-no question: its verb, or a word that replaces the verb.
 */
const opening: Readonly<Partial<Record<QuestionLanguage, RegExp>>> = {
  en: new RegExp(
    '^(?:(?:and|so|but|or|also|then),? )*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|' +
      String.raw`would|should|may|must)(?:n['’]t)?\s`,
    'iu',
  ),
  de: new RegExp(
    '^(?:(?:und|oder|aber),? )*(?:ist|sind|war|kann|könnte|können|darf|muss|hat|haben|wird|werden|' +
      String.raw`gibt|\p{L}+(?:t|en) (?:es|sie|er|man|das|die|der|den|dieses|diese))\s`,
    'iu',
  ),
  fr: new RegExp(
    String.raw`^(?:(?:et|ou|mais),? )*(?:est-ce que|est-ce qu['’]|y a-t-il|peut-|\p{L}+(?:-t)?-(?:il|elle|` +
      String.raw`ils|elles|on)\s|(?:est|sont|peut) )`,
    'iu',
  ),
  es: /^¿?(?:(?:y|o|pero),? )*(?:es|está|hay|puede|se puede|tiene|soporta|admite|habla|funciona|existe)\s/iu,
}

export const isYesNoQuestion = (part: string, language: QuestionLanguage): boolean =>
  opening[language]?.test(part.trim()) ?? false

/** Words about ability, such as "support", that a yes-or-no question may contain for any subject. */
export const capabilityWords: ReadonlySet<string> = new Set(
  `speak speaks talk talks understand understands know knows offer offers provide provides implement
  implements include includes contain contains come comes bring brings ship ships feature features
  support supports supported supporting able there
  spricht sprechen unterstützt unterstützen bietet versteht beherrscht kennt
  parle parler supporte supporter gère gérer comprend offre prend charge
  habla hablar soporta soportar admite admitir entiende ofrece`.split(/\s+/),
)
