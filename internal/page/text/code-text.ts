// Component that shows code in colors. It creates text nodes in elements with a class for each kind of word,
// never raw markup.
import { type ComponentChildren, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type CodeGrammars, type CodeRun, readCodeRuns, splitCodeLines } from '../../base/code/code-runs.ts'

let loaded: CodeGrammars | undefined
let loading: Promise<CodeGrammars> | undefined

/**
 * Loads the grammars that color code, once per page. Rejects if they cannot be loaded; code then
 * has no colors.
 */
function loadGrammars(): Promise<CodeGrammars> {
  loading ??= import(process.env.ANODE_GRAMMARS as string).then((module: { default: CodeGrammars }) => {
    loaded = module.default
    return loaded
  })
  return loading
}

/**
 * Returns a function that splits code into lines of colored pieces. The function returns undefined for a
 * language without a grammar, and until the grammars are loaded.
 */
export function useCodeReader(language: string | undefined): (text: string) => CodeRun[][] | undefined {
  const [grammars, setGrammars] = useState(loaded)
  const isNeeded = language !== undefined && grammars === undefined
  useEffect(() => {
    if (!isNeeded) return
    let isOver = false
    loadGrammars().then(
      (one) => isOver || setGrammars(() => one),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [isNeeded])
  return useMemo(
    () => (text: string) => {
      const runs = grammars && language !== undefined ? readCodeRuns(text, language, grammars) : undefined
      return runs && splitCodeLines(runs)
    },
    [grammars, language],
  )
}

/**
 * Shows code in colors once the grammars are loaded and if one fits its language, else as plain text. The
 * caller has escaped invisible characters in the text.
 */
export function CodeText({ text, language }: { text: string; language: string | undefined }) {
  const read = useCodeReader(language)
  const lines = useMemo(() => read(text), [read, text])
  if (!lines) return text
  return lines.map((runs, i) => [i > 0 && '\n', drawRuns(runs)])
}

/** Returns the elements of a line. `marks` are the changed ranges, in UTF-16 code units and in order. */
export function drawRuns(
  runs: readonly CodeRun[],
  marks: readonly (readonly [number, number])[] = [],
): ComponentChildren {
  let at = 0
  return runs.flatMap(({ text, kind }) => {
    const start = at
    at += text.length
    return splitAtMarks(text, start, marks).map(([part, isMarked]) => {
      const names = [kind && `code-${kind}`, isMarked && 'changed'].filter(Boolean).join(' ')
      return names === '' ? part : h('span', { class: names }, part)
    })
  })
}

function splitAtMarks(
  text: string,
  start: number,
  marks: readonly (readonly [number, number])[],
): [text: string, isMarked: boolean][] {
  const parts: [string, boolean][] = []
  let at = 0
  for (const [from, to] of marks) {
    const first = Math.max(at, from - start)
    const last = Math.min(text.length, to - start)
    if (first >= last) continue
    if (first > at) parts.push([text.slice(at, first), false])
    parts.push([text.slice(first, last), true])
    at = last
  }
  if (at < text.length) parts.push([text.slice(at), false])
  return parts
}
