// Builds dist/: one split bundle, emitted as CommonJS so that a command compiles only the chunks it touches.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { commonJsPath, fileUrl, importPlainly, joinChunks, supported } from './pack.mjs'
import { buildPage } from './page.mjs'
import { external, plugins } from './plugins.mjs'
import { readerVersion } from './reader-version.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const dist = join(root, 'dist')
const require = createRequire(join(root, 'package.json'))

/** Compiled to WASM, copied as they are. */
const shellGrammars = ['tree-sitter-bash/tree-sitter-bash.wasm', 'web-tree-sitter/web-tree-sitter.wasm']

/** Read by a thread of its own, which cannot look into the bundle: a file of its own. */
const pdfLibrary = () => join(dirname(require.resolve('unpdf')), 'pdfjs.mjs')

/** Tables of the letters of Chinese, Japanese and Korean fonts, which that library reads. */
const characterMaps = () => join(dirname(require.resolve('pdfjs-dist/package.json')), 'cmaps')

/** Options of a bundle of one file. */
const single = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  supported,
  format: 'cjs',
  minify: true,
  logLevel: 'warning',
}

/** Runs in a thread of its own, so that a page cannot hold up the program; its packages come into one file. */
const htmlThread = {
  ...single,
  entryPoints: ['internal/web/html-thread.mjs'],
  outfile: join(dist, 'html-thread.cjs'),
  mainFields: ['module', 'main'],
}

/** The grammars are loaded with the first code that gets colors. */
const grammars = {
  ...single,
  entryPoints: ['internal/base/code/grammars.cjs'],
  outfile: join(dist, 'grammars.cjs'),
}

/** Letters of PDF reports: packed, they take a third. */
const fonts = () =>
  ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSansMono'].map((name) =>
    require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`),
  )

/** Returns ` (COMMIT DATE)` of the clone; empty without git or a commit. */
function describeCommit() {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format= (%h %cs)'], {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trimEnd() : ''
}

/** Writes every chunk as a file of its own; the result has their texts, by path. */
async function build(esbuild) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const bundle = await esbuild.build({
    absWorkingDir: root,
    entryPoints: {
      anode: 'cmd/anode/main.ts',
      library: 'cmd/library/main.ts',
      generate: 'cmd/build/generate.ts',
    },
    outdir: dist,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    supported,
    format: 'esm',
    mainFields: ['module', 'main'],
    external,
    // the build for browsers loads no node:crypto
    alias: {
      ulid: require
        .resolve('ulid')
        .replace('/node/', '/browser/')
        .replace(/\.cjs$/, '.js'),
      // the module declares a `require` of its own, which hides the one that CommonJS gives
      'web-tree-sitter': require.resolve('web-tree-sitter'),
      // exists only inside the editor; the client of language servers asks for it
      vscode: join(root, 'internal', 'lsp', 'vscode-host.ts'),
    },
    plugins,
    loader: { '.md': 'text', '.lua': 'text' },
    define: {
      'import.meta.url': '__file.url',
      'import.meta.dirname': '__dirname',
      'process.env.ANODE_VERSION': JSON.stringify(version),
      'process.env.ANODE_COMMIT': JSON.stringify(describeCommit()),
      'process.env.ANODE_READER_VERSION': JSON.stringify(readerVersion(root)),
    },
    logLevel: 'warning',
    chunkNames: 'chunk/[name]-[hash]',
  })
  rmSync(dist, { recursive: true, force: true })
  await Promise.all(bundle.outputFiles.map((file) => emit(esbuild.transform, file)))
  const thread = await esbuild.build(htmlThread)
  const code = await esbuild.build(grammars)
  const page = await buildPage(esbuild, root, join(dist, 'page'))
  cpSync(join(root, 'cmd', 'build', 'load.cjs'), join(dist, 'load.cjs'))
  cpSync(join(root, 'cmd', 'library', 'library.mjs'), join(dist, 'library.mjs'))
  writeFileSync(join(dist, 'library.d.mts'), libraryTypes())
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(
    join(dist, 'third-party-licenses.txt'),
    licensesOf([
      ...Object.keys(bundle.metafile.inputs),
      ...Object.keys(thread.metafile.inputs),
      ...Object.keys(code.metafile.inputs),
      ...page,
      ...shellGrammars.map(require.resolve),
      pdfLibrary(),
      characterMaps(),
      ...fonts(),
    ]),
  )
  for (const file of shellGrammars) {
    cpSync(require.resolve(file), join(dist, file.split('/')[1]))
  }
  const { patchPdfLibrary } = await import('../../internal/media/pdf-library.mjs')
  writeFileSync(join(dist, 'pdfjs.mjs'), patchPdfLibrary(readFileSync(pdfLibrary(), 'utf8')))
  const { packCharacterTables } = await import('../../internal/media/character-tables.mjs')
  writeFileSync(join(dist, 'cmaps.bin'), packCharacterTables(characterMaps()))
  mkdirSync(join(dist, 'fonts'))
  for (const file of fonts()) writeFileSync(join(dist, 'fonts', `${basename(file)}.br`), compress(file))
  return new Map(bundle.outputFiles.map(({ path, text }) => [relative(dist, path), text]))
}

/** What the library exports, typed: the types alone, which need nothing of the source. */
function libraryTypes() {
  const types = readFileSync(join(root, 'internal', 'service', 'library', 'library-types.ts'), 'utf8')
  const values = ['createAgent', 'defineTool', 'toolSchemas'].map(
    (name) => `export declare const ${name}: AnodeLibrary['${name}']\n`,
  )
  return [types, '\n', ...values].join('')
}

/** The best quality takes four seconds longer and saves 60 kB. */
function compress(file) {
  return brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}

/** A chunk this large is a library that few commands use: unpacking it takes them some milliseconds. */
const packedChunk = 230_000

/** Leaves large chunks that no hot command uses only packed, for the loader to unpack. */
function packLargeChunks(inPacks) {
  for (const name of readdirSync(join(dist, 'chunk'))) {
    const file = join(dist, 'chunk', name)
    if (inPacks[`chunk/${name}`] !== undefined || statSync(file).size < packedChunk) continue
    writeFileSync(`${file}.br`, compress(file))
    rmSync(file)
  }
}

/** Matches the text of the license that a package has without naming it in its package.json. */
const unnamedLicenses = { MIT: /^(The )?MIT License|Permission is hereby granted, free of charge/im }

/**
 * Returns the license of every package that has a file in the bundle, because the licenses require it. Throws for a
 * package without a known license.
 */
function licensesOf(inputs) {
  const inside = /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//
  const folders = new Set(
    inputs.flatMap((path) => {
      const folder = inside.exec(path)?.[1]
      return folder ? [resolve(root, folder)] : []
    }),
  )
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|-|$)/i.test(entry))
    const text = file
      ? readFileSync(join(folder, file), 'utf8').trim()
      : 'The package contains no license text.'
    const found = license ?? Object.keys(unnamedLicenses).find((id) => unnamedLicenses[id].test(text))
    if (found === undefined) throw new Error(`${name} ${version} names no license; see ${folder}`)
    return `${name} ${version} (${found})\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/** Chunks this large, libraries nearly all, have their local names shortened too. */
const largeChunk = 16_000

/** Rewrites one chunk as CommonJS; `import()` becomes a deferred `require`, on Node 20 the faster way in. */
async function emit(transform, file) {
  const path = commonJsPath(relative(dist, file.path))
  const { code } = await transform(file.text.replaceAll(/(["'])(\.{1,2}\/[^"'\n]+)\.js\1/g, '$1$2.cjs$1'), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { ...supported, 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers: file.text.length > largeChunk,
    logLevel: 'error',
  })
  const shebang = path === 'anode.cjs' ? '#!/usr/bin/env node\n' : ''
  const plain = importPlainly(code)
  // the entries themselves are what Node loads; all else comes through the loader
  const body = ['anode.cjs', 'library.cjs'].includes(path)
    ? plain.replace(/\brequire\("\.\/(chunk\/[^"]+)"\)/g, 'require("./load.cjs").load("$1")')
    : plain
  mkdirSync(dirname(join(dist, path)), { recursive: true })
  writeFileSync(join(dist, path), `${shebang}"use strict";${fileUrl(code)}${body}`, { mode: 0o755 })
}

/** Runs the bundled generator: catalogue, profiles, skills, help and schema as ready-made files. */
function generate() {
  const done = spawnSync(process.execPath, [join(dist, 'generate.cjs'), root, dist], { stdio: 'inherit' })
  if (done.status !== 0) throw new Error('the generator failed')
  rmSync(join(dist, 'generate.cjs'))
}

const readCall = ['tools', 'use', 'read', '--arg', 'path=package.json']

/** What a person does most, the most urgent first: each gets a pack with what those before it did not use. */
const hot = [
  { words: readCall },
  // the parser of the configuration, which many have and which every command reads then
  { words: readCall, configured: true },
  { words: ['tools', 'list'] },
  { words: ['tools', 'show', 'read'] },
  { words: ['tools', 'use', 'grep', '--arg', 'pattern=anode', '--arg', 'path=package.json'] },
  { words: ['tools', 'use', 'glob', '--arg', 'pattern=*.json'] },
  { words: ['tools', 'use', '--help'] },
  { words: ['tools', 'batch'] },
  { words: ['execute', 'hello', '--quiet'], configured: true },
]

/** Packs the chunks of the hot commands into few files with V8's code cache; all else stays a file of its own. */
async function pack(esbuild, chunks) {
  const packs = {}
  for (const [i, paths] of groupChunks(hot.map((command) => warm([command])[0])).entries()) {
    const modules = paths.map((path) => path.replace(/\.cjs$/, '.js'))
    writeFileSync(join(dist, `pack-${i}.js`), await joinChunks(esbuild, chunks, modules))
    for (const path of paths) packs[path] = `pack-${i}`
  }
  writeFileSync(join(dist, 'packs.json'), JSON.stringify(packs))
  packLargeChunks(packs)
  warm(hot)
}

/** Chunks by the pack they go to; `used` are those of each hot command. */
function groupChunks(used) {
  const last = used.length - 1
  const groups = new Map()
  for (const path of new Set(used.flat())) {
    const users = used.flatMap((paths, i) => (paths.includes(path) ? [i] : []))
    // what a run shares with a command of tools is little beside what either has: no reason to open both packs
    const isShared = users[0] > 1 && users.length > 1 && users.includes(last)
    const key = isShared ? 'shared' : users[0]
    groups.set(key, [...(groups.get(key) ?? []), path])
  }
  return [...groups.values()]
}

/** Runs the commands in one process: the chunks that each of them added. */
function warm(commands) {
  const done = spawnSync(
    process.execPath,
    [join(root, 'cmd', 'build', 'warm.cjs'), dist, JSON.stringify(commands)],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  )
  if (done.status !== 0) throw new Error('the hot commands did not run')
  return JSON.parse(done.output[3])
}

/** Lets `npx anode` find the program in a clone at once, without installing the clone into npx's own cache. */
function linkProgram() {
  const bin = join(root, 'node_modules', '.bin')
  if (!existsSync(bin)) return
  rmSync(join(bin, 'anode'), { force: true })
  symlinkSync(join('..', '..', 'dist', 'anode.cjs'), join(bin, 'anode'))
}

function canBuild() {
  try {
    require.resolve('esbuild')
    return true
  } catch {
    return false
  }
}

if (!process.argv.includes('--if-possible') || canBuild()) {
  const esbuild = await import('esbuild')
  const chunks = await build(esbuild)
  generate()
  await pack(esbuild, chunks)
  linkProgram()
} else if (!existsSync(join(dist, 'anode.cjs'))) {
  console.error('anode is not built: that needs the development packages, which a plain `npm ci` installs')
}
