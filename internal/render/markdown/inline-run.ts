// Run of inline text: text in one style, with the target of its link.

/** The target of a link or an image, as written and not checked. */
export interface InlineLink {
  href: string
  isImage: boolean
}

/** Part of a text in one style. A line feed in `text` breaks the line. */
export interface InlineRun {
  text: string
  isBold?: boolean
  isItalic?: boolean
  isStruck?: boolean
  isCode?: boolean
  /** The link that the run is in. All runs of one link have the same object. */
  link?: InlineLink
}

/** Returns true if two runs have the same style and the same link. */
export const isSameLook = (a: InlineRun, b: InlineRun): boolean =>
  Boolean(a.isBold) === Boolean(b.isBold) &&
  Boolean(a.isItalic) === Boolean(b.isItalic) &&
  Boolean(a.isStruck) === Boolean(b.isStruck) &&
  Boolean(a.isCode) === Boolean(b.isCode) &&
  a.link === b.link

/**
 * Returns the runs without empty ones, and joins neighbors for which `isSame` returns true. Default: the same
 * style and link.
 */
export function joinRuns<Run extends InlineRun>(
  runs: readonly Run[],
  isSame: (a: Run, b: Run) => boolean = isSameLook,
): Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (run.text === '') continue
    if (last && isSame(last, run)) joined[joined.length - 1] = { ...last, text: last.text + run.text }
    else joined.push(run)
  }
  return joined
}
