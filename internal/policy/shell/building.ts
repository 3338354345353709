// Test, build and lint runners with their known options, as data.

export interface Builder {
  /** The words behind the program that say what it does, joined by blanks; absent: none are needed. */
  does?: RegExp
  /** Options that change nothing but how and what is tested or built; without leading dashes. */
  flags?: string
  /** What other words must look like; absent: any that stay in the workspace. */
  operand?: RegExp
  /** It must be called with one of these options, which make it look only. */
  needs?: RegExp
}

const script =
  /^(?:tests?|t|tst|build|compile|lint|check|checks|types?|typecheck|type-check|tsc|unit|e2e|verify|ci|format:check|fmt:check|coverage)(?::(?!deploy|publish|release|push)[\w.-]+)?$/

const tests =
  'run coverage verbose silent quiet bail ci i runInBand color no-color colors reporter t testNamePattern grep g ' +
  'filter only maxWorkers passWithNoTests watch=false watchAll=false no-watch updateSnapshot=false u=false ' +
  'forceExit detectOpenHandles typecheck shard retry timeout project'

const python =
  'v vv q qq x s l k m lf ff ra rA rs tb maxfail durations cov verbose quiet exitfirst last-failed failed-first ' +
  'collect-only no-header disable-warnings strict ignore-missing-imports pretty no-color-output show-error-codes'

const packages: Builder = {
  does: new RegExp(`^(?:${script.source.slice(1, -1)}|(?:run|run-script) ${script.source.slice(1, -1)})$`),
  flags: `s w r workspace workspaces if-present silent no-fund ${tests}`,
}

const targets =
  /^(?:\d+|all|tests?|check|checks|build|lint|compile|types?|typecheck|unit|e2e|verify|ci|coverage|vet)$/

const make: Builder = {
  flags: 'j k s n B jobs keep-going silent quiet dry-run always-make no-print-directory',
  operand:
    /^(?:\d+|all|tests?|check|checks|build|lint|compile|types?|typecheck|unit|e2e|verify|ci|coverage|vet)$/,
}

const maven: Builder = {
  flags: 'q B o U e ntp DskipTests batch-mode quiet',
  operand: /^(?:test|compile|verify|package)$/,
}
const gradle: Builder = {
  flags: 'q i offline quiet info no-daemon stacktrace tests continue parallel',
  operand: /^:?(?:[\w-]+:)*(?:test|build|check|assemble|classes|compileJava|compileKotlin|lint)$/,
}

/** By program: a bare name, or one of the two paths in `localName`. */
export const builders: Readonly<Record<string, Builder>> = {
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  deno: { does: /^(?:test|check|lint)$/, flags: 'quiet q no-check fail-fast parallel coverage filter' },
  node: {
    does: /^--(?:test|check)$/,
    flags: 'test check test-name-pattern test-only test-concurrency test-reporter',
  },
  vitest: { flags: tests },
  jest: { flags: tests },
  mocha: { flags: tests },
  ava: { flags: tests },
  playwright: { does: /^test$/, flags: tests },
  tsc: { flags: 'noEmit p project b build strict pretty skipLibCheck incremental listFiles force dry' },
  eslint: { flags: 'ext max-warnings quiet no-error-on-unmatched-pattern color no-color f format cache' },
  oxlint: { flags: 'quiet deny-warnings max-warnings' },
  biome: {
    does: /^(?:check|lint|ci|format)$/,
    flags: 'max-diagnostics diagnostic-level colors no-errors-on-unmatched',
  },
  prettier: {
    needs: /^(?:--check|-c|--list-different|-l)$/,
    flags: 'check c list-different l ignore-unknown',
  },
  stylelint: { flags: 'quiet max-warnings f formatter' },
  pytest: { flags: python },
  python: { does: /^-m (?:pytest|unittest|mypy|compileall|pyflakes|flake8)$/, flags: `m ${python}` },
  python3: { does: /^-m (?:pytest|unittest|mypy|compileall|pyflakes|flake8)$/, flags: `m ${python}` },
  mypy: { flags: python },
  pyright: { flags: 'stats verbose warnings outputjson p project' },
  ruff: { does: /^check$/, flags: 'q quiet v verbose no-fix select ignore output-format statistics' },
  flake8: { flags: 'max-line-length select ignore statistics count q v' },
  black: { needs: /^--(?:check|diff)$/, flags: 'check diff q quiet l line-length' },
  tox: { flags: 'e q v p' },
  nox: { flags: 's' },
  go: {
    does: /^(?:test|build|vet|list)$/,
    flags:
      'v race short count run bench benchmem cover timeout tags failfast json x n p cpu parallel skip shuffle',
  },
  gofmt: { needs: /^-[ld]$/, flags: 'l d s' },
  'golangci-lint': { does: /^run$/, flags: 'v timeout fast' },
  staticcheck: { flags: 'tags' },
  cargo: {
    does: /^(?:build|test|check|clippy|bench|doc|b|t|c)$/,
    flags:
      'release all workspace p package lib bins tests all-targets all-features no-default-features features q quiet ' +
      'v verbose no-run offline locked frozen nocapture test-threads j jobs check no-fail-fast exact ignored',
  },
  make,
  gmake: make,
  ninja: { flags: 'j k v n', operand: targets },
  cmake: { does: /^--build$/, flags: 'build j parallel config verbose' },
  ctest: { flags: 'V VV j R E L output-on-failure parallel verbose' },
  meson: { does: /^(?:compile|test)$/, flags: 'v j' },
  mvn: maven,
  mvnw: maven,
  gradle,
  gradlew: gradle,
  dotnet: {
    does: /^(?:build|test)$/,
    flags: 'c configuration no-restore no-build v verbosity filter nologo',
  },
  swift: { does: /^(?:build|test)$/, flags: 'c configuration v verbose filter parallel' },
  zig: { does: /^(?:build|test)$/, operand: /\.zig$/ },
  mix: { does: /^(?:test|compile)$/, flags: 'trace warnings-as-errors force only' },
  rake: { operand: /^(?:test|spec|lint|build)$/, flags: 't q s' },
  rspec: { flags: 'f format fail-fast color e example t tag' },
  rubocop: { flags: 'D f format parallel' },
  phpunit: { flags: 'filter testsuite testdox stop-on-failure colors v' },
  phpstan: { does: /^analy[sz]e$/, flags: 'l level no-progress' },
  bazel: { does: /^(?:build|test)$/, flags: 'c test_output keep_going k' },
  sbt: { operand: /^(?:test|compile|Test\/compile)$/ },
  stack: { does: /^(?:build|test)$/, flags: 'fast' },
  cabal: { does: /^(?:build|test|check)$/, flags: 'v0 v1' },
  shellcheck: { flags: 's S e f x a shell severity exclude format' },
  yamllint: { flags: 's f strict format' },
  hadolint: { flags: 'f format' },
}

/** The runner behind a path that stands for one installed in or shipped with the workspace, or undefined. */
export function localName(program: string): string | undefined {
  return (
    /^(?:\.\/)?node_modules\/\.bin\/([\w-]+)$/.exec(program)?.[1] ?? /^\.\/(gradlew|mvnw)$/.exec(program)?.[1]
  )
}
