// Agreement of counts with their noun in texts: `1 line`, never `1 lines`.
import { expect, it } from 'vitest'
import { read, sources } from '../support/sources.ts'

/** Nouns that Anode counts. Sizes in bytes, characters and tokens are figures with a unit. */
const nouns =
  'calls|candidates|changes|claims|commits|directories|edits|entries|errors|events|files|findings|folders|' +
  'hits|jobs|lines|links|matches|messages|models|operands|pages|pairs|papers|pictures|problems|' +
  'processes|questions|replies|requests|results|rows|rules|runs|samples|servers|sources|steps|studies|tasks|threads|tools|turns|' +
  'warnings|words|workers'
const adjectives = 'background|changed|earlier|matching|more|other|tool'
const counted = new RegExp(
  `\\$\\{((?:[^{}\`]|\\{[^{}]*\\})*)\\} (?:(?:${adjectives}) )?(?:${nouns})\\b(?!\\})`,
  'g',
)
/** Whether the value is not a count: a limit of the program is more than one, and a name is text. */
const isNoCount = (value: string) =>
  /(?:^|[.(])(?:max[A-Z]\w*|limit)$|name\b|Name|^(?:path|shown|prefix|letter|where|text\.split.*|inner\.type\b.*|job\.id|lease\.owner)$/.test(
    value,
  )

/** Whether the text is only used for a number above one. */
const isGuarded = (line: string) =>
  /=== 1 \?|> 1 \?|countNoun/.test(line.slice(0, line.indexOf('${')) || line) && !line.startsWith('`')

/** The rooms whose texts are shown to users unchanged. */
const rooms = /^(?:cmd\/|internal\/(?:policy|render|research|server|study|tools|tui|host)\/)/

it('a number before a plural goes through countNoun', () => {
  const found = sources()
    .filter((path) => rooms.test(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => !isGuarded(line))
        .flatMap((line) =>
          [...line.matchAll(counted)].flatMap(([text, value = '']) =>
            isNoCount(value) || value.startsWith('countNoun') ? [] : [`${path}: ${text}`],
          ),
        ),
    )
  expect(found).toEqual([])
})
