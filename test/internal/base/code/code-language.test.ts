// The language of a file or block: one that a grammar has, for the names that people use.
import { expect, test } from 'vitest'
import {
  languageOfFence,
  languageOfName,
  languageOfPath,
} from '../../../../internal/base/code/code-language.ts'
import { readCodeLines } from '../../../../internal/base/code/code-reader.ts'

const files = [
  ...['a.ts', 'a.tsx', 'a.mts', 'a.cts', 'a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.py', 'a.pyi', 'a.rb', 'a.go'],
  ...['a.rs', 'a.java', 'a.kt', 'a.kts', 'a.c', 'a.h', 'a.cpp', 'a.hpp', 'a.cc', 'a.cs', 'a.swift', 'a.php'],
  ...['a.sh', 'a.bash', 'a.zsh', 'a.sql', 'a.html', 'a.xml', 'a.svg', 'a.vue', 'a.css', 'a.scss', 'a.less'],
  ...[
    'a.json',
    'a.jsonc',
    'a.jsonl',
    'a.yaml',
    'a.yml',
    'a.toml',
    'a.ini',
    'a.cfg',
    'a.conf',
    '.env',
    'a.md',
  ],
  ...['a.mdx', 'a.diff', 'a.patch', 'Dockerfile', 'dockerfile.dev', 'Makefile', 'a.mk', 'CMakeLists.txt'],
  ...[
    'a.cmake',
    'a.lua',
    'a.pl',
    'a.pm',
    'a.r',
    'a.scala',
    'a.ex',
    'a.exs',
    'a.erl',
    'a.hs',
    'a.ml',
    'a.clj',
  ],
  ...['a.dart', 'a.jl', 'a.nix', 'a.ps1', 'a.proto', 'a.graphql', 'a.gql', 'a.m', 'Gemfile', 'src/x/b.TS'],
  ...['C:\\x\\a.cs', '.bashrc', '.gitconfig'],
]

test.each(files)('%s has a language with a grammar', (file) => {
  expect(
    readCodeLines('(', languageOfPath(file))
      ?.flat()
      .map(({ text }) => text),
  ).toEqual(['('])
})

test.each(['README', 'a.txt', 'a.unknown', 'a', '', 'a.', 'dir.ts/', 'a.constructor', 'a.__proto__'])(
  '%s stays plain',
  (file) => {
    expect(readCodeLines('x', languageOfPath(file))).toBeUndefined()
  },
)

test.each([
  ['ts', 'ts'],
  ['ts title="a.ts"', 'ts'],
  ['{.python .numberLines}', 'python'],
  ['TypeScript', 'typescript'],
  ['c++', 'c++'],
  ['rust,ignore', 'rust'],
  ['jsonc', 'jsonc'],
  ['proto', 'protobuf'],
  ['', undefined],
  [undefined, undefined],
  ['   ', undefined],
  ['\x1b[2J', undefined],
  [`${'a'.repeat(30)}`, undefined],
])('a block of %j is %s', (info, language) => {
  expect(languageOfFence(info)).toBe(language)
})

test.each(['constructor', 'toString', '__proto__', 'hasownproperty'])(
  '%s stays plain, although every object has such a property',
  (name) => {
    expect(typeof languageOfName(name)).toBe('string')
    expect(readCodeLines('x', languageOfName(name))).toBeUndefined()
  },
)
