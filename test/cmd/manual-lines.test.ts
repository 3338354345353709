// Commands in README and manual that have no output block: each is run, or is listed here with the
// reason why not.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { git } from '../support/repo.ts'
import { filesBelow, read, root } from '../support/sources.ts'

/** Commands that succeed in the workspace below, where a scripted model answers. */
const runnable = [
  'anode study "How are permissions decided, and how does the store survive a crash?"',
  'anode mcp list',
  `anode tools use study_verify --arg text='add.js:1 has "module.exports = (a, b)" and "a plus b".'`,
  'anode completion install',
  'anode config path',
  'anode config doctor',
  'anode config schema',
  'anode config set model ollama/qwen3',
  'anode config set model anthropic/claude-sonnet-5',
  'anode execute "What does this repository do, and where does it start?"',
  "anode tools use grep --arg pattern=permission --arg glob='*.ts' --arg context=1",
  'anode execute "Which module decides whether a call needs approval?"',
  "anode tools use grep --arg pattern=TODO --output json | jq -e '.data.files > 0'",
  'anode mcp add memory -- npx -y @modelcontextprotocol/server-memory',
  "anode mcp add tracker --url https://tracker.example/mcp --header 'X-Team: core'",
  'anode execute "Fix the failing test" --approval edits',
  'anode study "How are permissions decided?"',
  'anode study "How are permissions decided?" -o answer.html',
  'anode execute "Run the tests" --sandbox require',
  'anode execute --resume last "Now update the tests"',
  'anode review',
  'anode review --base main --fail-on high',
  'anode trust --status',
  'anode usage',
  'anode usage --by model --since 7d',
  'anode cron add "0 7 * * 1-5" --execute "What changed since yesterday?"',
  'anode cron add @weekly --study "Which of our dependencies are no longer maintained?"',
  'anode cron add "0 1 * * *" --research model --timeout 5h --budget-usd 3',
  'anode cron list',
  'anode permissions log --reviewer',
  'anode cron next "15 2 * * *" --timezone Europe/Berlin --from 2026-10-24T12:00Z --count 2',
]

const paid = 'asks a provider that wants a key'
const inResearch = 'wants a benchmark and changes of it: test/cmd/research.test.ts goes from init to final'
const inProjects = 'wants a tool chain: test/trials/projects.mjs copies it into a project of that language'
const ofThread = 'needs a thread that has written files: test/internal/service/threads tests their undo'
const inUntil = 'test/cmd/execute-until'
const inProof = 'wants a repository with tests: test/internal/service/proof has honest work and cheats'
const inBuild = 'wants a repository with a plan: test/cmd/build.test.ts has such from start to drop'
const ofRuns = 'wants a model, and runs that live: test/cmd/runs.test.ts begins, joins and cancels such'
const ofWorktrees = 'wants a run in a worktree: test/cmd/runs-worktree.test.ts takes such from start to drop'
const inHarness = 'wants a recording: test/cmd/harness.test.ts records, replays and steps'
const inRedis = 'wants a Redis server at that address: test/faults/redis-study.test.ts has one'

const abroad =
  'listens to other machines: test/internal/service/server/server-exposure.test.ts does so on this one'

/** Commands that cannot run here, each with its reason. */
const lacking: Readonly<Record<string, string>> = {
  'anode ': 'wants a terminal: test/cmd/session.test.ts works on one',
  'anode "Why does the first test fail?"': 'wants a terminal, and is paid',
  'anode --resume 01M82HGMGS  1 run  $0.03': 'is output',
  'anode attach 01M82HGMGS': 'is output',
  'anode --continue': 'wants a terminal: test/cmd/session.test.ts works on one',
  'anode trust': 'wants a terminal and a typed yes: test/cmd/trust.test.ts types it',
  'anode permissions explain bash --arg command="git push"': 'exits with 10, as the manual says',
  'anode models check': paid,
  'anode study eval test/bench/suites/tuned.jsonl --checkout ~/clones --json':
    'wants clones of repositories: test/cmd/study/eval/checkout.test.ts has one',
  'anode lsp doctor': 'starts every language server: test/cmd/lsp.test.ts has servers',
  'anode review --base origin/main --output sarif --fail-on high > findings.sarif':
    'wants a remote: test/cmd/review.test.ts has one',
  'anode study ask last "And after how long is a lock given up?"':
    'wants a study on locks: test/cmd/output-widths.test.ts asks one such',
  'anode harness record -- study "How does the store lock files?"': inHarness,
  'anode harness replay last': inHarness,
  'anode harness step last': inHarness,
  'anode doctor': 'stands behind `npm i -g`: test/cmd/package.test.ts installs the package and runs it',
  'anode execute "Add a flag --quiet to the command line"': paid,
  'anode -x "Fix the failing test" --model openai/gpt-5 --approval auto --stats': paid,
  'anode study eval --suite second --model anthropic/claude-sonnet-5 --record replies --yes': paid,
  'anode study eval --suite second --replay replies --json': 'wants the replies that a paid run has recorded',
  'anode serve --host 0.0.0.0 --port 8443 --tls-cert cert.pem --tls-key key.pem': abroad,
  'anode serve --host 10.0.0.7 --port 8090 --behind-proxy https://anode.example.org': abroad,
  'anode login anthropic': 'asks for a key on a terminal',
  'anode mcp tools tracker': 'wants the server of the line before, which is nobody’s',
  "anode render -f times.json --output svg --title 'Build times' > times.svg":
    'wants a file: test/cmd/render.test.ts writes SVG',
  'anode research status --color always | anode render --screen --output svg > status.svg': inResearch,
  'anode render [-f FILE | --spec SPEC | --json SPEC] [--width N] [--color auto|always|never]': 'is usage',
  'anode research init --name sort --metric cpu_ms --direction lower --cmd ./bench.sh --scope src --checks "make test"':
    inResearch,
  "anode research init … --strict-metrics --cmd 'anode research cpu -- node src/work.mjs'": inResearch,
  "anode research init --name bundle --metric bundle_bytes --direction lower --scope src --carry node_modules    --cmd 'npm run build' --measure-file dist/app.js --checks 'node smoke.mjs'":
    inResearch,
  "anode research init --name sum --metric BenchmarkSum --direction lower --scope sum.go --env GOMODCACHE --format go    --build 'go test -c -o bench.test .'    --cmd './bench.test -test.run=^$ -test.bench=. -test.benchtime=100ms'":
    inProjects,
  "anode research init --name sum --metric cpu_ms --direction lower --scope src --carry .venv    --cmd 'PYTHONPATH=src anode research cpu -- .venv/bin/python bench.py'":
    inProjects,
  "anode research init --name sum --metric cpu_ms --direction lower --scope src --carry node_modules    --cmd 'anode research cpu -- node bench.mjs'":
    inProjects,
  "anode research init --name sum --metric cpu_ms --direction lower --scope src --env CARGO_HOME --env RUSTUP_HOME    --build 'cargo build --release --offline' --cmd 'anode research cpu -- target/release/sum'":
    inProjects,
  "anode research init --name sum --metric cpu_ms --direction lower --scope sum.c --build 'cc -O2 -o bench sum.c'    --cmd 'anode research cpu -- ./bench'":
    inProjects,
  'anode research compare HEAD~1 HEAD --cmd "node work.js"':
    'wants two commits: test/cmd/research-compare.test.ts measures such',
  'anode research run': inResearch,
  'anode research log': inResearch,
  'anode research final': inResearch,
  'anode study "How are retries done, and what ends them?" --engine redis://10.0.0.5': inRedis,
  'anode worker --engine redis://10.0.0.5': inRedis,
  'anode worker --engine redis://10.0.0.5 --ssh build7,build8 --slots 8 --root work/project':
    'needs other machines: test/cmd/worker-ssh.test.ts has one',
  "anode mcp serve --allow 'npm test'":
    'serves until its client leaves: test/cmd/mcp-serve.test.ts has clients',
  'anode mcp serve --http --port 8091':
    'serves until it is stopped: test/internal/mcp-server/http-service.test.ts has clients',
  'anode acp --profile review --approval ask': 'serves until its editor leaves: test/cmd/acp.test.ts has one',
  'anode runs start "Find out why the last test is slow"': ofRuns,
  'anode runs list': ofRuns,
  'anode attach': ofRuns,
  'anode runs cancel last': ofRuns,
  'anode runs start --worktree "Speed up the slow test"': ofWorktrees,
  'anode runs diff last --stat': ofWorktrees,
  'anode runs merge last --checks "npm test"': ofWorktrees,
  'anode runs drop last': ofWorktrees,
  'anode serve --port 8090 &': 'serves until it is stopped: test/cmd/serve.test.ts has clients',
  'anode serve --open': 'serves until it is stopped: test/cmd/serve.test.ts opens a browser of its own',
  'anode execute "Watch the training for a minute" --toolset researchharness': paid,
  'anode prove "npm test"': inProof,
  'anode prove "npm test" --allow "test/add.test.js"': inProof,
  'anode execute "Fix total() and commit it" --approval auto':
    'reviewer.test.ts runs a commit with a served reviewer',
  'anode execute "Fix add()" --until "npm test" --approval edits': inUntil,
  'anode build "Replace moment by date-fns" --until "npm test"': inBuild,
  'anode build --plan plan.yaml --model anthropic/claude-sonnet-5 --budget-usd 5 --workers 4': inBuild,
  'anode threads show THREAD': ofThread,
  'anode build status last': inBuild,
  'anode build watch': inBuild,
  'anode build show last api': inBuild,
  'anode build report last --format pr': inBuild,
  'anode build merge last': inBuild,
  'anode build drop last': inBuild,
  'anode build resume last --budget-usd 10 --deadline 1h --attempts 5': inBuild,
  'anode undo last': ofThread,
  'anode undo THREAD@12': ofThread,
  'anode undo THREAD --to 0': ofThread,
}

interface ShownLine {
  file: string
  line: string
}

/**
 * Returns commands of the program in fenced blocks, also after `&&`. Console blocks are run
 * with their output.
 */
function shownLines(file: string): ShownLine[] {
  const blocks = [...read(file).matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)]
  return blocks
    .filter(([, language]) => language !== 'console')
    .flatMap(([, , body = '']) => body.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => {
      const found = /^(?:.* && )?(?:npx )?(anode .*?)(?: +# .*)?$/.exec(line.trim())
      return found?.[1] === undefined ? [] : [{ file, line: found[1] }]
    })
}

// pages of commands and tools are generated, and examples/ has separate tests
const shown = ['README.md', ...filesBelow('manual', '.md')]
  .filter((file) => !/^manual\/.*\//.test(file))
  .flatMap(shownLines)
const lines = [...new Set(shown.map(({ line }) => line))]

test('every command is run or has a reason, and every listed command is on a page', () => {
  const known = [...runnable, ...Object.keys(lacking)]
  expect(shown.filter(({ line }) => !known.includes(line))).toEqual([])
  expect(known.filter((line) => !lines.includes(line))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})

/** Returns a repository with something to find, a study to report on, and a scripted model. */
function workspace(): World {
  const w = world()
  const bin = join(dirname(w.dir), 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'anode'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist', 'anode.cjs')}" "$@"\n`,
  )
  chmodSync(join(bin, 'anode'), 0o755)
  w.put(
    'README.md',
    '# Permissions\n\nPermissions are decided by rules. The store survives a crash by its journal.\n',
  )
  w.put('src/permission.ts', '// TODO: the store\nexport const permission = true\n')
  git(w.dir, 'init', '-q', '-b', 'main')
  git(w.dir, 'add', '-A')
  git(w.dir, '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first')
  // a review accepts this text as an answer, too
  const reply = { text: 'It is decided in src/permission.ts.\n```json\n{"findings":[]}\n```' }
  writeFileSync(join(dirname(w.dir), 'replies.jsonl'), `${JSON.stringify(reply)}\n`.repeat(4))
  return w
}

/** Sorts reports after the study that they show, and commands that change settings last. */
const turnOf = (line: string) =>
  /^anode (?:config|mcp) /.test(line) ? 2 : /^anode study report/.test(line) ? 1 : 0

test('commands without a key or a network succeed', () => {
  const w = workspace()
  const home = dirname(w.dir)
  const run = (line: string) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -o pipefail\n${line}`], {
      cwd: w.dir,
      encoding: 'utf8',
      input: '',
      env: {
        PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
        HOME: home,
        ANODE_DATA_DIR: w.data,
        LC_ALL: 'C.UTF-8',
      },
    })
    return { line, status, said: status === 0 ? '' : stdout + stderr }
  }
  try {
    expect(run(`anode config set model 'script:${home}/replies.jsonl'`).status).toBe(0)
    const ends = [...runnable]
      .sort((a, b) => turnOf(a) - turnOf(b))
      .map((line) => run(/^anode study "/.test(line) ? `${line} --model builtin/extract --workers 1` : line))
    expect(ends.filter(({ status }) => status !== 0)).toEqual([])
  } finally {
    w.remove()
  }
})
