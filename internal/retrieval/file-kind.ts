// Kind of a file, by its name. The kind decides how the file is split into passages and how much they weigh.
import type { PassageKind } from './passage.ts'

const prose = new RegExp(
  String.raw`\.(?:md|markdown|mdx|mkd|txt|text|rst|adoc|asciidoc|org|tex|html?|xhtml|pdf|docx|docm|epub|` +
    'ipynb|[1-8]|pod|man)$|(?:^|/)(?:readme|changelog|changes|news|history|licen[cs]e|notice|' +
    'contributing|authors|copying|install|todo)[^/.]*$',
  'i',
)
const config = new RegExp(
  String.raw`\.(?:conf|cfg|cnf|ini|toml|ya?ml|properties|env|json5?|jsonc|plist|service|hcl|tf|` +
    String.raw`tfvars|desktop|editorconfig|gitconfig)(?:\.\w+)?$|(?:^|/)(?:\.env[^/]*|` +
    String.raw`dockerfile[^/]*|makefile|procfile|\.?[\w-]+rc)$`,
  'i',
)
const data = /\.(?:csv|tsv|jsonl|ndjson|log|svg|xml|geojson|sql\.dump|po|pot|strings)$/i

/**
 * Pattern of directories with tests or benchmarks; it matches `unittests` and `app-tests`, but not `latest`.
 */
const testFolder =
  String.raw`(?:^|/)(?!(?:latest|contests?|attest|protests?|fastest|greatest)/)(?:[\w.-]*tests?|__tests__|` +
  'specs?|e2e|benchmarks?|bench)/'

/** Matches data files in test directories, and every file in directories such as `fixtures/`. */
const testData = new RegExp(
  String.raw`${testFolder}(?:.*/)?[^/]+\.(?:json5?|jsonc|ya?ml|toml|xml|csv|html?|txt|snap|out|in|golden|` +
    String.raw`expected|\w{3,}test)$|` +
    '(?:^|/)(?:testdata|fixtures?|goldens?|__fixtures__|__snapshots__|snapshots|cassettes|mocks?|__mocks__)/',
  'i',
)

/** Matches the extension of a template, from which another file is made, as in `app.conf.in`. */
const template = /(?<=[^/]\.[\w-]+)\.(?:in|tmpl|tpl|j2|jinja2?|erb|dist|sample|template)$/i

/** Returns the path without the extension of a template, which would hide the format of the file. */
export const withoutTemplate = (path: string): string => path.replace(template, '')

/**
 * Returns the kind of a file. A file of unknown kind counts as code, which is split at blank
 * lines and comments.
 */
export function kindOfFile(path: string): PassageKind {
  const bare = withoutTemplate(path)
  if (data.test(bare) || (config.test(bare) && testData.test(path))) return 'data'
  if (prose.test(bare)) return 'prose'
  return config.test(bare) ? 'config' : 'code'
}

/** Matches files that programs generate. They rarely answer a question. */
const machineMade = new RegExp(
  String.raw`(?:\.lock|[._-]lock\.(?:json|ya?ml)|\.min\.\w+|\.map|\.svg|\.snap|go\.sum|\.po|` +
    String.raw`\.pot)$|(?:^|/)(?:npm-shrinkwrap\.json|package-lock\.json)$`,
  'i',
)

/**
 * Files that are rarely about the topic of a question, each with its weight, and the words in a question that
 * ask for such files.
 */
const aside: readonly { paths: RegExp; weight: number; words: RegExp }[] = [
  {
    paths: new RegExp(
      `${testFolder}|(?:^|/)(?:__mocks__|testdata|fixtures?|mocks?|goldens?)/|` +
        String.raw`[._-](?:test|spec|bench)s?(?:_\w+)?\.\w+$|(?:^|/)(?:test_|conftest)[^/]*\.\w+$`,
      'i',
    ),
    weight: 0.5,
    words: /^(?:test|spec|fixtur|mock|bench)/,
  },
  { paths: testData, weight: 0.7, words: /^(?:test|spec|fixtur|mock|bench|golden|snapshot|sampl|exampl)/ },
  {
    // Matches files with evaluation questions and known answers, and texts that were written for them.
    paths:
      /(?:^|\/)(?:corpus|corpora|evals?|evaluations?)\/|(?:^|\/)examples?\/.*\.jsonl?$|\bsuite\.jsonl?$/i,
    weight: 0.4,
    words: /^(?:corp|eval|suit)/,
  },
  {
    paths: new RegExp(
      '(?:^|/)(?:vendor|vendored|third[_-]?party|deps|node_modules|external|' +
        String.raw`bower_components|dist|build|generated|gen|autogen)/|[._-](?:generated|pb|gen)\.\w+$`,
      'i',
    ),
    weight: 0.45,
    words: /^(?:vendor|depend|generat|build)/,
  },
  {
    // Matches libraries of one file, which other projects copy.
    paths: /(?:^|\/)(?:sqlite3(?:ext)?\.[ch]|stb_\w+\.h|miniz\.[ch]|uthash\.h|json\.hpp)$/i,
    weight: 0.35,
    words: /^(?:sqlite|stb|miniz|uthash)/,
  },
  {
    paths: /(?:^|\/)[^/]*(?:check-?list|upgrade|upgrading)[^/]*\.\w+$/i,
    weight: 0.4,
    words: /^(?:checklist|upgrad|migrat|chang|version|releas)/,
  },
  {
    paths: new RegExp(
      '(?:^|/)(?:change[_-]?logs?|changes|history|news|release[_-]?notes?|releases|' +
        '00-releasenotes|migrations?)(?:[-_./]|$)|(?:^|/)[^/]*migration[^/]*$',
      'i',
    ),
    weight: 0.55,
    // An old entry does not say which version is needed now, so "version" alone does not ask for one.
    words: /^(?:chang|releas|histor|migrat|upgrad|sinc|latest|new|introduc|remov|deprec|add)/,
  },
  {
    paths: /(?:^|\/)(?:examples?|samples?|demos?|i18n|locales?|translations?)\//i,
    weight: 0.75,
    words: /^(?:exampl|sampl|demo|translat|local)/,
  },
  {
    paths: new RegExp(
      String.raw`(?:^|/)\.(?:github|gitlab|circleci|devcontainer)/|` +
        String.raw`(?:^|/)\.(?:gitlab-ci|travis|appveyor)\.ya?ml$`,
      'i',
    ),
    weight: 0.5,
    words: /^(?:ci$|continuous|github|gitlab|workflow|pipelin|action|releas|issu)/,
  },
  {
    // Matches names of translations, such as README.zh-CN.md. They count half, because the original text is
    // usually in the same directory.
    paths: new RegExp(
      '[._-](?:zh|cn|tw|ja|jp|ko|kr|es|fr|de|it|pt|br|ru|uk|tr|pl|nl|vi|id|fa|ar|hi|he)' +
        String.raw`(?:[_-](?:\w{2}|hans|hant))?\.(?:md|markdown|mdx|rst|txt|html?)$`,
      'i',
    ),
    weight: 0.5,
    words: /^(?:translat|locali|langu)/,
  },
  {
    paths: /(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*$/i,
    weight: 0.35,
    words: /^(?:licen|copyright|notic)/,
  },
  {
    paths: /(?:^|\/)(?:authors|code_of_conduct|contributing|maintainers)[^/]*$/i,
    weight: 0.6,
    words: /^(?:licen|author|contribut|maintain|copyright)/,
  },
]

/** Weight of a file below which its evidence counts as weak, as for tests, vendored and generated files. */
export const weakEvidence = 0.6

/**
 * Returns the weight of a file by its path, from 0.2 to 1. Files that programs generate weigh less. So do
 * files that `aside` describes, unless `stems`, the stems of the question, ask for them.
 */
export function weighFile(path: string, stems: readonly string[]): number {
  let weight = machineMade.test(path) ? 0.25 : 1
  for (const one of aside) {
    if (one.paths.test(path) && !stems.some((stem) => one.words.test(stem))) weight *= one.weight
  }
  return Math.max(0.2, weight)
}
