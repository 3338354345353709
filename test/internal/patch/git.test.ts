// Comparison with `git apply`: generated trees, changes and diffs give the same tree in git and
// in the engine.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual as isSame } from 'node:util'
import { expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { type PatchSource, planPatch } from '../../../internal/patch/patch-plan.ts'
import { readPatch } from '../../../internal/patch/patch-reader.ts'
import { choice, type Rng, rng, shuffled } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { harvest, scratch } from '../../support/scratch.ts'

type Tree = Map<string, { text: string; executable: boolean }>

const names = [
  'a.txt',
  'b.ts',
  'src/main.go',
  'src/deep/er/x.py',
  'with space.md',
  'ünï/cödé.txt',
  'q"uote.txt',
  '-dash',
  "it's",
  'tab\tname',
  'back\\slash',
  'new\nline.txt',
  'emoji🙂.txt',
  'a/b/c',
  'z (deleted)',
]
const words = [
  'alpha',
  'beta',
  '',
  '  indented',
  '}',
  '-- dashes',
  '++ pluses',
  '@@ at',
  'diff --git a/x b/x',
  '\tx',
  'ünï 日本',
  'trailing  ',
  '\\ backslash',
  ' ',
  '--- a/x',
  '+++ b/x',
]

function randomText(random: Rng): string {
  const count = choice(random, [0, 1, 2, 5, 12, 40])
  const eol = choice(random, ['\n', '\n', '\n', '\r\n', undefined])
  let text = ''
  for (let i = 0; i < count; i++) {
    const word = choice(random, words)
    text +=
      (random() < 0.5 ? `${word} ${Math.floor(random() * 30)}` : word) +
      (eol ?? choice(random, ['\n', '\r\n']))
  }
  if (random() < 0.2) text = text.replace(/\r?\n$/, '')
  return random() < 0.05 ? `\uFEFF${text}` : text
}

function changeText(random: Rng, text: string): string {
  const lines = text.split(/(?<=\n)/)
  const times = 1 + Math.floor(random() * 4)
  for (let n = 0; n < times; n++) {
    const at = Math.floor(random() * (lines.length + 1))
    const line = `${choice(random, words)} ${Math.floor(random() * 1000)}\n`
    const kind = random()
    if (kind < 0.4) lines.splice(at, 1, line)
    else if (kind < 0.7) lines.splice(at, 0, line, line)
    else if (kind < 0.9) lines.splice(at, 2)
    else lines.splice(at, 0, ...lines.slice(0, 3))
  }
  const changed = lines.join('')
  return random() < 0.15 ? changed.replace(/\r?\n$/, '') : changed
}

function randomTree(random: Rng): Tree {
  const tree: Tree = new Map()
  for (const name of shuffled(random, names).slice(0, 2 + Math.floor(random() * 5))) {
    tree.set(name, { text: randomText(random), executable: random() < 0.2 })
  }
  return tree
}

function changeTree(random: Rng, tree: Tree): Tree {
  const next: Tree = new Map([...tree].map(([name, file]) => [name, { ...file }]))
  for (const [name, file] of tree) {
    const kind = random()
    const free = () => shuffled(random, names).find((other) => !next.has(other) && !tree.has(other))
    if (kind < 0.5) file.text !== '' && next.set(name, { ...file, text: changeText(random, file.text) })
    else if (kind < 0.6) next.delete(name)
    else if (kind < 0.7) next.set(name, { ...file, executable: !file.executable })
    else if (kind < 0.85) {
      const other = free()
      if (other !== undefined) {
        next.set(other, { ...file, text: random() < 0.5 ? file.text : changeText(random, file.text) })
        if (random() < 0.6) next.delete(name)
      }
    }
  }
  for (const name of shuffled(random, names).slice(0, 2)) {
    if (!next.has(name) && random() < 0.5)
      next.set(name, { text: randomText(random), executable: random() < 0.2 })
  }
  return next
}

function write(dir: string, tree: Tree): void {
  mkdirSync(dir, { recursive: true })
  for (const [name, { text, executable }] of tree) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
    chmodSync(join(dir, name), executable ? 0o755 : 0o644)
  }
}

function harvestOf(dir: string, tree: Tree): Record<string, string> {
  write(dir, tree)
  const found = harvest(dir)
  rmSync(dir, { recursive: true })
  return found
}

/**
 * Returns the tree after the engine has applied the patch, in the form of `harvest`, or the code
 * of its error.
 */
async function ours(
  tree: Tree,
  patch: string,
): Promise<{ tree: Record<string, string>; loose: boolean } | string> {
  const read = async (path: string): Promise<PatchSource> => {
    const file = tree.get(path)
    return {
      key: path,
      shown: path,
      file: file ? { text: file.text, mode: file.executable ? 0o755 : 0o644, print: '' } : null,
    }
  }
  try {
    const { targets, steps } = await planPatch(readPatch(patch), read)
    const result = new Map(
      [...tree].map(([name, file]) => [name, { text: file.text, mode: file.executable ? 0o755 : 0o644 }]),
    )
    for (const { source, text, mode } of targets) {
      if (text === null) result.delete(source.key)
      else result.set(source.key, { text, mode: mode ?? 0o644 })
    }
    const entries = [...result].map(([name, { text, mode }]) => [
      name + (mode & 0o100 ? ' x' : ''),
      Buffer.from(text).toString('latin1'),
    ])
    const loose = steps
      .flatMap((step) => step.hunks)
      .some((hunk) => hunk.offset !== 0 || hunk.fuzz > 0 || hunk.match !== 'exact')
    return { tree: Object.fromEntries(entries), loose }
  } catch (error) {
    if (error instanceof FailureError) return `${error.failure.code}: ${error.failure.message}`
    throw error
  }
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.autocrlf=false', ...args],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env: {
        PATH: process.env.PATH,
        HOME: cwd,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 't',
        GIT_AUTHOR_EMAIL: 't@t',
        GIT_COMMITTER_NAME: 't',
        GIT_COMMITTER_EMAIL: 't@t',
      },
    },
  )

const batch = 50
const total = Number(process.env.ANODE_PATCHES ?? rounds(60, 500))

it(`equals git apply on ${total} generated patches`, { timeout: 600_000 }, async () => {
  const seed = Number(process.env.ANODE_SEED ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}`)
  const random = rng(seed)
  const root = scratch()
  const tally = { same: 0, refusedByBoth: 0, looser: 0, empty: 0 }
  for (let done = 0; done < total; done += batch) {
    const repo = join(root, 'repo')
    mkdirSync(repo)
    git(repo, 'init', '-q')
    const cases = Array.from({ length: batch }, (_, i) => {
      const before = randomTree(random)
      return { dir: `case-${i}`, before, after: changeTree(random, before) }
    })
    for (const { dir, before } of cases) write(join(repo, dir), before)
    git(repo, 'add', '-A')
    git(repo, 'commit', '-q', '--allow-empty', '-m', 'before')
    for (const { dir, after } of cases) {
      rmSync(join(repo, dir), { recursive: true, force: true })
      write(join(repo, dir), after)
    }
    git(repo, 'add', '-A')
    for (const { dir, before, after } of cases) {
      const context = choice(random, [3, 3, 3, 3, 1, 0, 10])
      const options = shuffled(random, [
        '-M',
        '-C',
        '--find-copies-harder',
        '--no-prefix',
        '--patience',
        '-B',
      ]).slice(0, Math.floor(random() * 3))
      const patch = git(repo, 'diff', '--cached', `-U${context}`, ...options, `--relative=${dir}`, 'HEAD')
      if (patch === '') {
        tally.empty++
        continue
      }
      // Some of the patches meet a tree that has changed.
      // Without context git trusts the line numbers alone, so there the tree is unchanged.
      const drifted = context > 0 && random() < 0.3
      const base: Tree = drifted ? drift(random, before) : before
      const work = join(root, 'work')
      write(work, base)
      const args = [
        'apply',
        ...(context === 0 ? ['--unidiff-zero'] : []),
        ...(options.includes('--no-prefix') ? ['-p0'] : []),
        '-',
      ]
      const result = spawnSync('git', args, {
        cwd: work,
        input: patch,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: root, HOME: root },
      })
      const theirs = result.status === 0 ? harvest(work) : undefined
      rmSync(work, { recursive: true })
      const mine = await ours(base, patch)
      const report = `seed ${seed}, ${dir} of batch ${done / batch}, options ${args.join(' ')} ${options.join(' ')}\n${patch}\nbefore: ${JSON.stringify([...base])}\ngit: ${result.stderr}`
      if (theirs) {
        // Inserted lines without context get the file's line ends here, and the patch's line ends in git.
        const plain = (tree: Record<string, string>) =>
          context > 0 ? tree : JSON.parse(JSON.stringify(tree).replaceAll('\\r\\n', '\\n'))
        // Without context git may delete the first of two equal last lines, and leave the wrong line end.
        const ourTree = typeof mine === 'string' ? mine : plain(mine.tree)
        const isTrue = context === 0 && isSame(ourTree, plain(harvestOf(work, after)))
        if (!isTrue) expect(ourTree, report).toEqual(plain(theirs))
        tally.same++
      } else if (typeof mine === 'string') {
        tally.refusedByBoth++
      } else {
        // Git is stricter about a hunk's position. The engine must report each hunk that git rejects.
        expect(drifted, report).toBe(true)
        expect(mine.loose || patch.includes('@@ -0,0 '), report).toBe(true)
        tally.looser++
      }
    }
    rmSync(repo, { recursive: true })
  }
  console.log(`patches: ${JSON.stringify(tally)}`)
  expect(tally.same).toBeGreaterThan(total / 2)
})

/** Returns the same files with some lines added or removed, mostly outside of the patch. */
function drift(random: Rng, tree: Tree): Tree {
  return new Map(
    [...tree].map(([name, file]) => {
      const lines = file.text.split(/(?<=\n)/)
      const at = random() < 0.5 ? 0 : Math.floor(random() * lines.length)
      if (random() < 0.7) lines.splice(at, random() < 0.3 ? 1 : 0, `moved ${Math.floor(random() * 100)}\n`)
      return [name, { ...file, text: lines.join('') }]
    }),
  )
}
