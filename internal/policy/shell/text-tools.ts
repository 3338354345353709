// sed and awk: which of their scripts only print.

const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`
const replacement = String.raw`s([/|#,:])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiIm\d]*`
const command = new RegExp(
  String.raw`^\s*(?:${address}(?:,\s*${address})?\s*!?\s*)?(?:[pdqQ=]|${replacement})\s*(?:;|$|\n)`,
)

/** True when a sed script consists of addresses with p, d, q, = and s without the flags that write or run. */
export function sedPrints(script: string): boolean {
  let rest = script
  while (rest.trim() !== '') {
    const found = command.exec(rest)
    if (!found) return false
    rest = rest.slice(found[0].length)
  }
  return true
}

interface Risk {
  opaque: string
  unseen: boolean
}

const sedFlags =
  /^(?:-[nErsuz]+|--(?:quiet|silent|regexp-extended|null-data|unbuffered|separate|version|help))$/

/** Why a sed command may write or run something, or undefined. `words` begin with the program. */
export function sedRisk(words: readonly string[]): Risk | undefined {
  const unsafe: Risk = { opaque: 'the sed script may write files or run programs', unseen: true }
  let places: Risk | undefined
  let scripts = 0
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    const own = /^(?:--expression=|-[nErsuz]*e)(.*)$/s.exec(word)
    if (own || word === '--expression') {
      scripts++
      if (!sedPrints(own?.[1] || (words[++i] ?? 'missing'))) return unsafe
    } else if (/^(?:-[nErsuz]*i|--in-place)/.test(word)) {
      places = { opaque: `sed ${word} writes files in place`, unseen: false }
    } else if (word !== '-' && word !== '--' && word.startsWith('-')) {
      if (!sedFlags.test(word)) return { opaque: `sed ${word} may run a script`, unseen: true }
    } else if (scripts++ === 0 && !sedPrints(word)) return unsafe
  }
  return places
}

/** Why an awk command may write or run something, or undefined. */
export function awkRisk(words: readonly string[]): Risk | undefined {
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    if (/^-[Fv]$/.test(word)) i++
    else if (/^(?:-[Fv].|--(?:version|help)$)/s.test(word)) continue
    else if (word.startsWith('-') && word !== '--')
      return { opaque: `awk ${word} may run a script`, unseen: true }
    else if (word !== '--') {
      // the first operand is the program; pipes, redirections and these names reach out of it
      const runs = /[|@]|system|getline/.test(word)
      if (!runs && !/>|ARGV|ARGC|close|fflush/.test(word)) return undefined
      return { opaque: 'the awk program may write, read or run', unseen: runs }
    }
  }
  return undefined
}
