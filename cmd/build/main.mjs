// Builds dist/: one split bundle, written as CommonJS so that a command compiles only the chunks that it
// uses.
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
import { sqliteAddons } from './sqlite-addons.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const dist = join(root, 'dist')
const require = createRequire(join(root, 'package.json'))

/** WebAssembly files that the build copies: the grammar of bash, and the parser that reads it. */
const shellGrammars = ['tree-sitter-bash/tree-sitter-bash.wasm', 'web-tree-sitter/web-tree-sitter.wasm']

/**
 * Path of the PDF library. The build makes a separate file of it, because the thread that loads it cannot
 * read the bundle.
 */
const pdfLibrary = () => join(dirname(require.resolve('unpdf')), 'pdfjs.mjs')

/** Directory with the tables of letters of Chinese, Japanese and Korean fonts for the PDF library. */
const characterMaps = () => join(dirname(require.resolve('pdfjs-dist/package.json')), 'cmaps')

/** Options for a bundle of one file. */
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

/**
 * Options for the bundle of the thread that reads HTML pages, with its packages. In a thread, a slow page
 * does not block the program.
 */
const htmlThread = {
  ...single,
  entryPoints: ['internal/web/html-thread.mjs'],
  outfile: join(dist, 'html-thread.cjs'),
  write: false,
  mainFields: ['module', 'main'],
}

/** Options for the bundle of the grammars, which the program loads with the first code that gets colors. */
const grammars = {
  ...single,
  entryPoints: ['internal/base/code/grammars.cjs'],
  outfile: join(dist, 'grammars.cjs'),
}

/** Paths of the fonts for PDF reports. Compressed, they take a third of the space. */
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

/**
 * Writes dist/ without packs and generated files, with each chunk in a separate file. Returns the texts of
 * the chunks as ES modules, by path below dist/.
 */
async function build(esbuild) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const bundle = await esbuild.build({
    absWorkingDir: root,
    entryPoints: {
      anode: 'cmd/anode/main.ts',
      library: 'cmd/library/main.ts',
      reader: 'internal/retrieval/reading/reader-thread.ts',
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
    // the browser build does not load node:crypto
    alias: {
      ulid: require
        .resolve('ulid')
        .replace('/node/', '/browser/')
        .replace(/\.cjs$/, '.js'),
      // the module declares a variable `require`, which hides that of CommonJS
      'web-tree-sitter': require.resolve('web-tree-sitter'),
      // the language client imports it, and it exists only in the editor
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
  writeFileSync(join(dist, 'html-thread.cjs.br'), compress(thread.outputFiles[0].contents))
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
      ...sqliteAddons(root).map(({ path }) => path),
      ...fonts(),
    ]),
  )
  for (const file of shellGrammars) {
    cpSync(require.resolve(file), join(dist, file.split('/')[1]))
  }
  writeFileSync(join(dist, 'pdfjs.cjs.br'), compress(await buildPdfLibrary(esbuild)))
  const { packCharacterTables } = await import('../../internal/media/character-tables.mjs')
  writeFileSync(join(dist, 'cmaps.bin.br'), compress(packCharacterTables(characterMaps())))
  writeSqlite()
  mkdirSync(join(dist, 'fonts'))
  for (const file of fonts())
    writeFileSync(join(dist, 'fonts', `${basename(file)}.br`), compress(readFileSync(file)))
  return new Map(bundle.outputFiles.map(({ path, text }) => [relative(dist, path), text]))
}

/** Returns the code of the PDF library as CommonJS, which a thread can run from memory. */
async function buildPdfLibrary(esbuild) {
  const { patchPdfLibrary } = await import('../../internal/media/pdf-library.mjs')
  const { code } = await esbuild.transform(patchPdfLibrary(readFileSync(pdfLibrary(), 'utf8')), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    // the library looks there for a package for canvases, which Anode does not have
    define: { 'import.meta.url': '"file:///"' },
  })
  return code
}

/** Returns the type declarations of the library. They import nothing from the source. */
function libraryTypes() {
  const types = readFileSync(join(root, 'internal', 'service', 'library', 'library-types.ts'), 'utf8')
  const values = ['createAgent', 'defineTool', 'toolSchemas'].map(
    (name) => `export declare const ${name}: AnodeLibrary['${name}']\n`,
  )
  return [types, '\n', ...values].join('')
}

/**
 * Quality of the Brotli compression. The best one, 11, which `npm pack` uses, takes half a minute more and
 * saves 1 MB.
 */
const quality = process.argv.includes('--smallest') ? 11 : 9

function compress(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

/**
 * Size in bytes from which a chunk is stored compressed. Smaller ones would take one block of the disk, too.
 * Unpacking takes 25 µs for 4 kB and 100 µs for 30 kB.
 */
const packedChunk = 4_000

/** Compresses large chunks, which the loader unpacks. Removes those that a pack contains. */
function packChunks(inPacks) {
  for (const name of readdirSync(join(dist, 'chunk'))) {
    const file = join(dist, 'chunk', name)
    const isInPack = inPacks[`chunk/${name}`] !== undefined
    if (!isInPack && statSync(file).size < packedChunk) continue
    if (!isInPack) writeFileSync(`${file}.br`, compress(readFileSync(file)))
    rmSync(file)
  }
}

/**
 * Writes SQLite for versions of Node without it: compressed for every machine, and unpacked for this one. The
 * package leaves out the unpacked file.
 */
function writeSqlite() {
  const dir = join(dist, 'sqlite')
  mkdirSync(dir)
  for (const { name, path, isHere } of sqliteAddons(root)) {
    writeFileSync(join(dir, `${name}.br`), compress(readFileSync(path)))
    if (isHere) cpSync(path, join(dir, name))
  }
}

/** Matches the text of the license that a package has without naming it in its package.json. */
const unnamedLicenses = { MIT: /^(The )?MIT License|Permission is hereby granted, free of charge/im }

/**
 * Returns the license of every package that has a file in the bundle, because the licenses require it. Throws
 * for a package without a known license.
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

/** Size in bytes above which local names of a chunk are shortened. Nearly all such chunks are libraries. */
const largeChunk = 16_000

/** Writes a chunk into dist/ as CommonJS. `import()` becomes a late `require`, which is faster on Node 20. */
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
  // Node loads the entry points, and the loader loads all other chunks
  const body = ['anode.cjs', 'library.cjs', 'reader.cjs'].includes(path)
    ? plain.replace(/\brequire\("\.\/(chunk\/[^"]+)"\)/g, 'require("./load.cjs").load("$1")')
    : plain
  mkdirSync(dirname(join(dist, path)), { recursive: true })
  writeFileSync(join(dist, path), `${shebang}"use strict";${fileUrl(code)}${body}`, { mode: 0o755 })
}

/** Runs the bundled generator, which writes the catalog, profiles, skills, help and schema as files. */
function generate() {
  const done = spawnSync(process.execPath, [join(dist, 'generate.cjs'), root, dist], { stdio: 'inherit' })
  if (done.status !== 0) throw new Error('the generator failed')
  rmSync(join(dist, 'generate.cjs'))
}

const readCall = ['tools', 'use', 'read', '--arg', 'path=package.json']

const runCall = { words: ['execute', 'hello', '--quiet'], configured: true }

/**
 * The most frequent commands, most urgent first. Each gets a pack with the chunks that earlier ones do not
 * use. Chunks that a run shares with commands of tools have a separate pack.
 */
const hot = [
  { words: readCall },
  // the parser of the configuration file, which every command reads if the file exists
  { words: readCall, configured: true },
  { words: ['tools', 'list'] },
  { words: ['tools', 'show', 'read'] },
  { words: ['tools', 'use', 'grep', '--arg', 'pattern=anode', '--arg', 'path=package.json'] },
  { words: ['tools', 'use', 'glob', '--arg', 'pattern=*.json'] },
  { words: ['tools', 'use', '--help'] },
  { words: ['tools', 'batch'] },
  runCall,
  { words: ['tools', 'use', 'bash', '--arg', 'command=true', '--allow-non-read'] },
  // the commands of a group share its modules, so one command of each group warms most of them
  { words: ['config', 'list'] },
  { words: ['cron', 'list'] },
  { words: ['threads', 'list'] },
  { words: ['runs', 'list'] },
  { words: ['permissions', 'list'] },
  { words: ['study', 'list'] },
  { words: ['build', 'list'] },
]

/**
 * Joins the chunks of the frequent commands into packs with V8's code cache. Other chunks stay separate
 * files.
 */
async function pack(esbuild, chunks) {
  const packs = {}
  for (const [i, paths] of groupChunks(hot.map((command) => warm([command])[0])).entries()) {
    const modules = paths.map((path) => path.replace(/\.cjs$/, '.js'))
    writeFileSync(join(dist, `pack-${i}.js`), await joinChunks(esbuild, chunks, modules))
    for (const path of paths) packs[path] = `pack-${i}`
  }
  writeFileSync(join(dist, 'packs.json'), JSON.stringify(packs))
  packChunks(packs)
  warm(hot)
}

/** Returns the chunks of each pack. `used` has the chunks of each frequent command. */
function groupChunks(used) {
  const run = hot.indexOf(runCall)
  const groups = new Map()
  for (const path of new Set(used.flat())) {
    const users = used.flatMap((paths, i) => (paths.includes(path) ? [i] : []))
    // a run and a command of tools share few chunks, so neither should open the pack of the other
    const isShared = users[0] > 1 && users[0] < run && users.includes(run)
    const key = isShared ? 'shared' : users[0]
    groups.set(key, [...(groups.get(key) ?? []), path])
  }
  return [...groups.values()]
}

/**
 * Runs the commands in one process and writes the code caches of the packs that they open. Returns the chunks
 * that each command loads first. Throws if a command fails.
 */
function warm(commands) {
  const done = spawnSync(
    process.execPath,
    [join(root, 'cmd', 'build', 'warm.cjs'), dist, JSON.stringify(commands)],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  )
  if (done.status !== 0) throw new Error(`the hot commands did not run:\n${done.stderr}`)
  return JSON.parse(done.output[3])
}

/** Links the program for `npx anode` in a clone, so that npx does not install the clone into its cache. */
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
