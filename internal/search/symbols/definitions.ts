// Patterns of lines that define a name, by language, for systems without a language server or ctags.

interface NameDefinition {
  kind: string
  name: string
}

/**
 * A pattern for a definition. Its group `name` is the name. The kind is in the group `kind`, or fixed in
 * the field `kind`.
 */
interface DefinitionShape {
  pattern: RegExp
  kind?: string | undefined
}

/** Source of a pattern for a definition, in which NAME is replaced by the pattern of a name. */
type ShapeSource = readonly [pattern: string, kind?: string, flags?: 'i']

const id = '(?<name>[A-Za-z_$][\\w$]*)'
/**
 * Pattern for a member of an enumeration with its value. A member without a value looks like an item
 * of any list.
 */
const enumMember: ShapeSource = [
  '^\\s+NAME\\s*=\\s*(?:[-+~]?\\d|[\\x22\\x27(])[^;{]*,\\s*(?:(?://|/\\*).*)?$',
  'member',
]
const script: readonly ShapeSource[] = [
  [
    '^\\s*(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?' +
      '(?<kind>function|class|interface|type|enum|namespace|const|let|var)\\b\\*?\\s+NAME',
  ],
  [
    '^\\s+(?:(?:public|private|protected|static|override|readonly|async|get|set)\\s+)*\\*?#?' +
      'NAME\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$',
    'method',
  ],
  [
    '^\\s+(?:(?:public|private|protected|static|readonly)\\s+)*#?NAME\\s*[=:]\\s*(?:async\\s*)?\\([^;]*=>',
    'method',
  ],
  [
    '^\\s*(?:[\\w$]+\\.)+NAME\\s*=\\s*(?:async\\s+)?(?:function\\b|class\\b|\\([^;]*=>|[\\w$]+\\s*=>)',
    'function',
  ],
  enumMember,
]
const go: readonly ShapeSource[] = [
  ['^func\\s+\\([^)]*\\)\\s*NAME', 'method'],
  ['^(?<kind>func|type|var|const)\\s+NAME'],
  ['^\\s+NAME\\s+(?:struct|interface)\\s*\\{', 'type'],
  // Lines in a block of constants have no keyword. They are constants if their names look different from
  // local variables, whose names are short and in lower case.
  ['^\\tNAME\\s+(?:[\\w.]+\\s*)?=\\s*(?:[-+\\w.]*\\s*\\(\\s*)?iota\\b', 'const'],
  ['^\\t(?<name>[A-Z]\\w*)(?:\\s+[\\w.*[\\]]+)?\\s+=\\s', 'const'],
  [
    '^\\t(?<name>[a-z]+(?:[A-Z][a-z0-9]*)+)(?:\\s+[\\w.]+)?\\s+=\\s*' +
      '(?:[-+]?\\d|[\\x22\\x60]|errors\\.New\\b)',
    'const',
  ],
]
const python: readonly ShapeSource[] = [
  ['^\\s*(?:async\\s+)?(?<kind>def|class)\\s+NAME'],
  ['^NAME\\s*(?::[^=]+)?=[^=]', 'variable'],
  ['^\\s+(?<name>[A-Z][A-Z0-9_]+)\\s*(?::[^=]+)?=[^=]', 'variable'],
]
const rust: readonly ShapeSource[] = [
  [
    '^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:(?:async|unsafe|default|const|extern(?:\\s+"[^"]*")?)\\s+)*' +
      '(?<kind>fn|struct|enum|union|trait|type|mod|const|static)\\s+(?:mut\\s+)?NAME',
  ],
  ['^\\s*macro_rules!\\s*NAME', 'macro'],
  enumMember,
]
const jvm: readonly ShapeSource[] = [
  [
    '^\\s*(?:@\\w+\\s+)*(?:[a-z]+\\s+)*(?<kind>class|interface|enum|record|object|trait|' +
      'struct|protocol|extension|namespace|fun|func|def|val|var|typealias|typedef)\\s+' +
      '(?:<[^>]*>\\s*)?(?:\\w+\\.)?NAME',
  ],
  ['^\\s+(?:[a-z]+\\s+)*[\\w<>\\[\\],.?]+\\s+NAME\\s*\\([^;]*\\{?\\s*$', 'method'],
]
const c: readonly ShapeSource[] = [
  ['^\\s*(?:typedef\\s+)?(?<kind>struct|class|enum|union|namespace)\\s+(?:class\\s+)?NAME\\s*[^;(]*$'],
  ['^\\s*#\\s*define\\s+NAME', 'macro'],
  ['^typedef\\s.*\\bNAME\\s*;', 'typedef'],
  [
    '^\\s*(?:(?:static|extern|inline)\\s+)*(?:const|constexpr)\\s+(?:[\\w:<>]+[\\s*&]+)+NAME\\s*' +
      '(?:\\[[^\\]]*\\]\\s*)*=[^=]',
    'const',
  ],
  enumMember,
  ['^[A-Za-z_][\\w:<>,*& ]*[*& ](?:\\w+::)*~?NAME\\s*\\([^;]*$', 'function'],
]
const ruby: readonly ShapeSource[] = [
  ['^\\s*(?<kind>def|class|module)\\s+(?:self\\.)?NAME'],
  ['^\\s*(?<kind>defp?|defmodule|defmacro)\\s+(?:\\w+\\.)*NAME'],
]
const php: readonly ShapeSource[] = [
  ['^\\s*(?:[a-z]+\\s+)*(?<kind>function|class|interface|trait|enum|const)\\s+&?NAME'],
]
const shell: readonly ShapeSource[] = [
  ['^\\s*function\\s+NAME', 'function'],
  ['^\\s*NAME\\s*\\(\\)', 'function'],
  ['^(?:export\\s+|readonly\\s+)?NAME=', 'variable'],
]
const lua: readonly ShapeSource[] = [['^\\s*(?:local\\s+)?function\\s+(?:\\w+[.:])*NAME', 'function']]
const proto: readonly ShapeSource[] = [['^\\s*(?<kind>message|service|enum|rpc)\\s+NAME']]
const sql: readonly ShapeSource[] = [
  [
    '^\\s*create\\s+(?:or\\s+replace\\s+)?(?:temp(?:orary)?\\s+|unique\\s+|virtual\\s+)?' +
      '(?<kind>table|view|function|procedure|index|trigger|type)\\s+' +
      `(?:if\\s+not\\s+exists\\s+)?(?:\\w+\\.)?["\`]?${id}`,
    undefined,
    'i',
  ],
]

const key = '[\\x22\\x27]?(?<name>[A-Za-z_][\\w.-]*)[\\x22\\x27]?'
const yaml: readonly ShapeSource[] = [[`^\\s*(?:-\\s+)?${key}:(?:\\s|$)`, 'key']]
const toml: readonly ShapeSource[] = [
  [`^\\s*\\[{1,2}\\s*${key}\\s*\\]{1,2}`, 'table'],
  [`^\\s*${key}\\s*=`, 'key'],
]

const languages: readonly [string, readonly ShapeSource[]][] = [
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
  ['yaml yml', yaml],
  ['toml', toml],
]

const compiled = new Map<string, readonly DefinitionShape[]>()

/**
 * Returns the patterns for files with this extension; empty for an unknown one. They are compiled
 * when first used.
 */
function shapesOf(extension: string): readonly DefinitionShape[] {
  const cachedShapes = compiled.get(extension)
  if (cachedShapes) return cachedShapes
  const sources = languages.find(([list]) => list.split(' ').includes(extension))?.[1] ?? []
  const shapes = sources.map(([pattern, kind, flags]): DefinitionShape => {
    return { pattern: new RegExp(pattern.replace('NAME', id), flags), kind }
  })
  if (sources.length > 0) compiled.set(extension, shapes)
  return shapes
}

/** Keywords that look like names to the pattern for methods. */
const keywords = new Set(
  'if for while switch catch return function do else with new await throw case elif'.split(' '),
)

/**
 * Returns the first definition in a line of a file. Undefined if the line has no definition or the language
 * of the file is unknown. The line must have at most 1,000 characters.
 */
export function readDefinition(path: string, line: string): NameDefinition | undefined {
  for (const { pattern, kind } of shapesOf(path.slice(path.lastIndexOf('.') + 1).toLowerCase())) {
    const groups = pattern.exec(line)?.groups
    const name = groups?.name
    if (name !== undefined && !keywords.has(name))
      return { kind: kind ?? groups?.kind?.toLowerCase() ?? 'symbol', name }
  }
  return undefined
}
