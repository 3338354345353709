// Which lines define a name, by language; for when neither a language server nor ctags is there.

interface Definition {
  kind: string
  name: string
}

/** `name` and, where the line says it, `kind` are named groups; otherwise `kind` is the fixed one. */
interface Shape {
  pattern: RegExp
  kind?: string
}

const id = '(?<name>[A-Za-z_$][\\w$]*)'
const shape = (pattern: string, kind?: string): Shape => {
  const compiled = new RegExp(pattern.replace('NAME', id))
  return kind === undefined ? { pattern: compiled } : { pattern: compiled, kind }
}

const script: readonly Shape[] = [
  shape(
    '^\\s*(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?' +
      '(?<kind>function|class|interface|type|enum|namespace|const|let|var)\\b\\*?\\s+NAME',
  ),
  shape(
    '^\\s+(?:(?:public|private|protected|static|override|readonly|async|get|set)\\s+)*\\*?#?' +
      'NAME\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$',
    'method',
  ),
  shape(
    '^\\s+(?:(?:public|private|protected|static|readonly)\\s+)*#?NAME\\s*[=:]\\s*(?:async\\s*)?\\([^;]*=>',
    'method',
  ),
]
const go: readonly Shape[] = [
  shape('^func\\s+\\([^)]*\\)\\s*NAME', 'method'),
  shape('^(?<kind>func|type|var|const)\\s+NAME'),
  shape('^\\s+NAME\\s+(?:struct|interface)\\s*\\{', 'type'),
]
const python: readonly Shape[] = [
  shape('^\\s*(?:async\\s+)?(?<kind>def|class)\\s+NAME'),
  shape('^NAME\\s*(?::[^=]+)?=[^=]', 'variable'),
]
const rust: readonly Shape[] = [
  shape(
    '^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:(?:async|unsafe|default|const|extern(?:\\s+"[^"]*")?)\\s+)*' +
      '(?<kind>fn|struct|enum|union|trait|type|mod|const|static)\\s+(?:mut\\s+)?NAME',
  ),
  shape('^\\s*macro_rules!\\s*NAME', 'macro'),
]
const jvm: readonly Shape[] = [
  shape(
    '^\\s*(?:@\\w+\\s+)*(?:[a-z]+\\s+)*(?<kind>class|interface|enum|record|object|trait|' +
      'struct|protocol|extension|namespace|fun|func|def|val|var|typealias|typedef)\\s+' +
      '(?:<[^>]*>\\s*)?(?:\\w+\\.)?NAME',
  ),
  shape('^\\s+(?:[a-z]+\\s+)*[\\w<>\\[\\],.?]+\\s+NAME\\s*\\([^;]*\\{?\\s*$', 'method'),
]
const c: readonly Shape[] = [
  shape('^\\s*(?:typedef\\s+)?(?<kind>struct|class|enum|union|namespace)\\s+(?:class\\s+)?NAME\\s*[^;(]*$'),
  shape('^\\s*#\\s*define\\s+NAME', 'macro'),
  shape('^typedef\\s.*\\bNAME\\s*;', 'typedef'),
  shape('^[A-Za-z_][\\w:<>,*& ]*[*& ](?:\\w+::)*~?NAME\\s*\\([^;]*$', 'function'),
]
const ruby: readonly Shape[] = [
  shape('^\\s*(?<kind>def|class|module)\\s+(?:self\\.)?NAME'),
  shape('^\\s*(?<kind>defp?|defmodule|defmacro)\\s+(?:\\w+\\.)*NAME'),
]
const php: readonly Shape[] = [
  shape('^\\s*(?:[a-z]+\\s+)*(?<kind>function|class|interface|trait|enum|const)\\s+&?NAME'),
]
const shell: readonly Shape[] = [
  shape('^\\s*function\\s+NAME', 'function'),
  shape('^\\s*NAME\\s*\\(\\)', 'function'),
  shape('^(?:export\\s+|readonly\\s+)?NAME=', 'variable'),
]
const lua: readonly Shape[] = [shape('^\\s*(?:local\\s+)?function\\s+(?:\\w+[.:])*NAME', 'function')]
const proto: readonly Shape[] = [shape('^\\s*(?<kind>message|service|enum|rpc)\\s+NAME')]
const sql: readonly Shape[] = [
  {
    pattern: new RegExp(
      '^\\s*create\\s+(?:or\\s+replace\\s+)?(?:temp(?:orary)?\\s+|unique\\s+|virtual\\s+)?' +
        '(?<kind>table|view|function|procedure|index|trigger|type)\\s+' +
        `(?:if\\s+not\\s+exists\\s+)?(?:\\w+\\.)?["\`]?${id}`,
      'i',
    ),
  },
]

const languages: readonly [string, readonly Shape[]][] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', script],
  ['go', go],
  ['py pyi', python],
  ['rs', rust],
  ['java kt kts scala swift cs groovy dart', jvm],
  ['c h cc cpp cxx hh hpp hxx m mm', c],
  ['rb ex exs', ruby],
  ['php', php],
  ['sh bash zsh', shell],
  ['lua', lua],
  ['proto', proto],
  ['sql', sql],
]

const shapes = new Map(
  languages.flatMap(([list, all]) => list.split(' ').map((extension) => [extension, all] as const)),
)

/** Words that a method's shape would take for its name. */
const keywords = new Set(
  'if for while switch catch return function do else with new await throw case elif'.split(' '),
)

/** What a line of a file defines, or undefined. Lines are at most a thousand characters long. */
export function readDefinition(path: string, line: string): Definition | undefined {
  const known = shapes.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  for (const { pattern, kind } of known ?? []) {
    const groups = pattern.exec(line)?.groups
    const name = groups?.name
    if (name !== undefined && !keywords.has(name))
      return { kind: kind ?? groups?.kind?.toLowerCase() ?? 'symbol', name }
  }
  return undefined
}
