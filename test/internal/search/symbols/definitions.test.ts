// Lines that define something, by language, and lines that only look so.
import { expect, test } from 'vitest'
import { readDefinition } from '../../../../internal/search/symbols/definitions.ts'

test.each([
  ['a.ts', 'export async function load(path: string) {', 'function', 'load'],
  ['a.ts', 'export default class Store {', 'class', 'Store'],
  ['a.ts', 'export const grep = tool({', 'const', 'grep'],
  ['a.ts', 'export type Mode = string', 'type', 'Mode'],
  ['a.ts', '  private async open(path: string): Promise<void> {', 'method', 'open'],
  ['a.tsx', '  onClick = (event) => {', 'method', 'onClick'],
  ['a.go', 'func NewServer(addr string) *Server {', 'func', 'NewServer'],
  ['a.go', 'func (s *Server) Close() error {', 'method', 'Close'],
  ['a.go', 'type Server struct {', 'type', 'Server'],
  ['a.py', '    async def fetch(self):', 'def', 'fetch'],
  ['a.py', 'LIMIT = 10', 'variable', 'LIMIT'],
  ['a.rs', 'pub(crate) async fn run(self) {', 'fn', 'run'],
  ['a.rs', 'macro_rules! check {', 'macro', 'check'],
  ['A.java', '    public static void main(String[] args) {', 'method', 'main'],
  ['A.java', 'public final class Main {', 'class', 'Main'],
  ['A.kt', 'data class User(val name: String)', 'class', 'User'],
  ['a.c', 'static int parse(const char *text)', 'function', 'parse'],
  ['a.h', '#define LIMIT 5', 'macro', 'LIMIT'],
  ['a.cpp', 'void Store::open(int fd) {', 'function', 'open'],
  ['a.rb', '  def self.build', 'def', 'build'],
  ['a.php', '    public function render()', 'function', 'render'],
  ['a.sh', 'deploy() {', 'function', 'deploy'],
  ['a.lua', 'local function M.go()', 'function', 'go'],
  ['a.proto', 'message Order {', 'message', 'Order'],
  ['a.sql', 'CREATE TABLE IF NOT EXISTS users (', 'table', 'users'],
])('finds the definition in %s: %s', (path, line, kind, name) => {
  expect(readDefinition(path, line)).toEqual({ kind, name })
})

test.each([
  ['a.ts', '  if (open(path)) {'],
  ['a.ts', '  return load(path)'],
  ['a.ts', '// function old() {'],
  ['a.go', '\treturn NewServer(addr)'],
  ['a.py', '    x == 10'],
  ['a.c', '  parse(text);'],
  ['a.txt', 'function load() {'],
  ['Makefile', 'all: build'],
])('%s: %s defines nothing', (path, line) => {
  expect(readDefinition(path, line)).toBeUndefined()
})

test('reads hostile lines in time', () => {
  const lines = [
    'a '.repeat(150),
    'a::'.repeat(100),
    `${'('.repeat(290)}`,
    `class ${' '.repeat(280)}`,
    '<'.repeat(300),
  ]
  for (const line of lines) for (const path of ['a.ts', 'a.java', 'a.cpp', 'a.rs']) readDefinition(path, line)
})
