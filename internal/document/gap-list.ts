// Parts of a document that are not read: counted by kind, each with the place that it has in the document.
import { countNoun } from '../base/text/count-noun.ts'

/** Text of the note about `n` gaps, by kind, in the order of the notes. */
const kinds = {
  deletion: (n: number) => `${countNoun(n, 'deletion')} of tracked changes left out`,
  number: (n: number) => `${countNoun(n, 'number')} of lists not shown`,
  formula: (n: number) => `${countNoun(n, 'formula')} without a stored value`,
  chart: (n: number) => `${countNoun(n, 'chart')} without numbers in the file`,
  symbol: (n: number) => `${countNoun(n, 'letter')} of symbol fonts shown as \ufffd`,
  letter: (n: number) => `${countNoun(n, 'letter')} of an unknown code page shown as \ufffd`,
  math: (n: number) => `${countNoun(n, 'formula')} not read`,
  picture: (n: number) => `text in ${countNoun(n, 'picture')} is not read`,
  embedded: (n: number) => `${countNoun(n, 'embedded file')} not read`,
  media: (n: number) => `${countNoun(n, 'sound or video', 'sounds or videos')} not read`,
  control: (n: number) => `${countNoun(n, 'form control')} not read`,
  ink: (n: number) => `${countNoun(n, 'ink drawing or 3D model', 'ink drawings or 3D models')} not read`,
  cells: (n: number) => `cells right of the first 1,000 columns are not read in ${countNoun(n, 'row')}`,
  repeated: (n: number) => `${countNoun(n, 'row')} repeated more than 1,000 times: the rest is not shown`,
  sheet: (n: number) => `${countNoun(n, 'sheet')} not read`,
} satisfies Record<string, (n: number) => string>

export type GapKind = keyof typeof kinds

/** Receives a part that is not read, with its place as a note names it: `slide 3`. */
export type AddGap = (kind: GapKind, place: string) => void

export interface GapList {
  readonly add: AddGap
  /**
   * Returns a note for each kind that has gaps, such as `text in 5 pictures is not read: slide 1, slide 4,
   * slide 9 and 2 more`. A place with several gaps is named once.
   */
  notes(): string[]
}

export function createGapList(): GapList {
  const gaps = new Map<GapKind, string[]>()
  return {
    add(kind, place) {
      const places = gaps.get(kind) ?? []
      gaps.set(kind, places)
      places.push(place)
    },
    notes: () =>
      (Object.keys(kinds) as GapKind[]).flatMap((kind) => {
        const places = gaps.get(kind)
        return places ? [`${kinds[kind](places.length)}: ${listPlaces([...new Set(places)])}`] : []
      }),
  }
}

const maxPlacesShown = 3

/** Returns places as text: `a`, `a, b`, `a, b, c and 4 more`. */
export function listPlaces(places: readonly (string | number)[]): string {
  const more = places.length - maxPlacesShown
  return `${places.slice(0, maxPlacesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
