// Frequent words of languages that are recognized by their script, and of Vietnamese, and the
// numerals of scripts.

/** Words of questions and requests in general, which an answer need not repeat. */
const weakWords = new Set(
  `叫 名字 名称 名稱 名叫 告诉我 请告诉 号码 教 名前 お願い 願 知 番号 이름 알려 알려줘 주세요 주십시오 말해
  ชื่อ บอก หมายเลข เรียก اسم له لها به بها فيه فيها שם לו לה בו בה नाम बताइए बताओ आ tên số
    gọi`.split(/\s+/),
)
export const isForeignWeakWord = (word: string): boolean => weakWords.has(word)

export type ScriptLanguage = 'zh' | 'ja' | 'ko' | 'th' | 'ar' | 'he' | 'hi' | 'ru'

/**
 * Frequent words by language. Chinese, Japanese and Thai words are separated as the dictionary of the runtime
 * separates a text; words of the other languages are separated by spaces.
 */
export const foreignSmallWords: Readonly<Record<ScriptLanguage | 'vi', string>> = {
  zh: `的 了 吗 呢 吧 啊 是 在 有 和 与 或 及 也 都 就 还 又 被 把 对 从 到 向 由 以 于 而 但 不 没 没有 这 那 哪 哪个 哪些
    哪里 哪儿 什么 怎么 怎样 如何 为什么 为何 谁 几 几点 多少 多久 多大 多长 多高 多远 多 何时 什么时候 时候 我 你 他 她 它 我们 你们
    他们 一个 个 每 可 可以 能 能够 会 要 应该 需要 请 问 请问 告诉 吗 之 其 该 所 中 上 下 里 内 些 等 最 很 更 是否 有没有 哪位 哪一 位
    嗎 這 個 們 為什麼 什麼 怎麼 幾 幾點 多遠 多長 時候 還 與 對 從 裡 請問 誰 沒有 嗎`,
  ja: `の は が を に へ と も で や か ね よ な から まで より など です ます した して する いる ある なる た て だ し さ れ せ い
    何 なに なん 何時 何人 何個 何年 何日 何番 いつ どこ どの どれ どう どんな どちら 誰 だれ なぜ いくつ いくら どのくらい どれくらい くらい ぐらい
    これ それ あれ この その あの ここ そこ こと もの ため ください でしょう でした ません ました ある あり られ`,
  ko: `몇 무엇 무엇인가 무엇인가요 무엇입니까 뭐 어디 어디서 어디에 언제 누구 누가 얼마 얼마나 어떤 어느 왜 어떻게 있나 있나요 있는 있습니까 있는가 있다
    있습니다 하나요 합니까 하는 하는가 됩니까 되나요 되는 수 것 이 그 저 및 또는 그리고 에서 대한 대해 의 를 을 은 는 할 한 명 명인가 명인가요 명입니까 입니까`,
  th: `ที่ ของ และ หรือ เป็น คือ มี ใน จาก ถึง กับ โดย เพื่อ ให้ ได้ จะ ไม่ ไหม หรือไม่ อะไร ใคร ไหน
    ที่ไหน เมื่อไร เมื่อไหร่ เมื่อใด ทำไม
    อย่างไร ยังไง กี่ เท่าไร เท่าไหร่ เท่าใด กี่โมง นี้ นั้น โน้น นี่ คะ ครับ บ้าง แล้ว ก็ ว่า ซึ่ง อยู่
    การ ความ ๆ ต้อง ควร แต่ละ ทุก คน`,
  ar: `ما ماذا من متى أين اين كيف لماذا كم هل أي اي أية في على إلى الى عن مع هو هي هم هذا هذه ذلك تلك التي
    الذي الذين و أو او ثم لا لم لن
    قد كان كانت يكون تكون كل بعض عند عندما بين بعد قبل حتى إن ان أن هناك يتم تم هذي`,
  he: `מה מי מתי איפה היכן איך כיצד למה מדוע כמה האם איזה איזו אילו של את על אל עם אין יש הוא היא הם הן זה
    זאת זו אלה אלו או גם כי אם לא כל
    בין עד מן אני אתה אנחנו להיות היה היתה הייתה כדי אשר יותר לאן מאין באיזו באיזה`,
  hi: `क्या कौन कब कहाँ कहां कैसे क्यों कितना कितने कितनी किस किसे किसने किसका किसकी किसके का की के को से
    में पर तक ने और या है हैं था थी थे
    हो होता होती होते यह वह ये वे इस उस इन उन जो एक भी ही नहीं मत लिए साथ कर करता करते करती बजे जाता जाती
    जाते सकता सकते सकती`,
  ru: `что какой какая какое какие какого каком какую каким кто кого кому где куда откуда когда почему
    зачем как сколько ли и а но или в во на
    с со к ко у о об от до по за из без для при над под между через не ни же бы то это этот эта эти этого
    тот та те он она оно они его её ее
    их мы вы я ты нас вас был была было были есть быть может можно нужно надо так также уже еще ещё все
    всё весь вся чем чего чему который
    которая которое каков какова каково каковы называется называют которые каждый каждая каждое`,
  vi: `là của có và các những một được cho trong với này đó kia khi nào gì ai đâu ở bao nhiêu mấy thế như
    sao tại vì không phải hay hoặc thì mà từ
    đến về bởi do đã đang sẽ cũng rất hãy ra vào lúc cái con chiếc người mỗi nơi bạn tôi nó họ chúng ta
    bằng theo`,
}

const scripts: readonly [ScriptLanguage, RegExp][] = [
  ['zh', /\p{sc=Han}/gu],
  ['ja', /[\p{sc=Hira}\p{sc=Kana}]/gu],
  ['ko', /\p{sc=Hang}/gu],
  ['th', /\p{sc=Thai}/gu],
  ['ar', /\p{sc=Arab}/gu],
  ['he', /\p{sc=Hebr}/gu],
  ['hi', /\p{sc=Deva}/gu],
  ['ru', /\p{sc=Cyrl}/gu],
]

/**
 * Smallest share of a script's letters among all letters; below it, the language of the text
 * counts as unknown.
 */
const minScriptShare = 0.4

/**
 * Returns the language of the script of `text`; undefined for Latin, for other scripts, and for too small a
 * share of the script.
 */
export function languageOfScript(text: string): ScriptLanguage | undefined {
  if (!/[\u0400-\uffff]/.test(text)) return undefined
  const all = (text.match(/\p{L}/gu) ?? []).length
  const counts = scripts.map(([language, script]) => ({ language, count: (text.match(script) ?? []).length }))
  const of = (target: ScriptLanguage) => counts.find(({ language }) => language === target)?.count ?? 0
  // Japanese has Chinese characters too, and Chinese has no kana
  if (of('ja') > 0 && of('ja') + of('zh') >= minScriptShare * all) return 'ja'
  const first = counts.reduce((best, one) => (one.count > best.count ? one : best))
  return first.count > 0 && first.count >= minScriptShare * all ? first.language : undefined
}

let allSmall: ReadonlySet<string> | undefined

/**
 * Returns true if a word of another script, or a Vietnamese one with a letter outside ASCII, is frequent
 * in its language.
 */
export function isForeignSmallWord(word: string): boolean {
  if (!/[^\x00-\x7f]/.test(word)) return false
  allSmall ??= new Set(Object.values(foreignSmallWords).flatMap((words) => words.split(/\s+/)))
  return allSmall.has(word)
}

const han = '[〇零一二三四五六七八九十百千万萬億亿两兩]'
/**
 * Matches numbers in Chinese characters. A single one is part of many words, so it counts only before a unit
 * or with another one.
 */
const hanNumber = `${han}{2,}|${han}(?=[点點時时分秒人个個名年月日元円圓圆米号號週周天回次台本艘吨頓公度岁歳条條])`
const anyNumber = new RegExp(`\\p{Nd}|${hanNumber}`, 'u')
const hanNumbers = new RegExp(hanNumber, 'gu')

/** Returns true if `text` contains a number in digits of any script or in Chinese characters. */
export const hasNumeral = (text: string): boolean =>
  /\d/.test(text) || (/[\u0660-\uffff]/.test(text) && anyNumber.test(text))

/**
 * Returns the indexes of numbers that are not written in the digits 0 to 9: first those in digits of other
 * scripts, then those in Chinese characters.
 */
export function listForeignNumerals(text: string): number[] {
  if (!/[\u0660-\uffff]/.test(text)) return []
  return [...text.matchAll(/(?![0-9])\p{Nd}+/gu), ...text.matchAll(hanNumbers)].map(({ index }) => index)
}
