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
  ['a.js', 'app.handle = function handle(req, res) {', 'function', 'handle'],
  ['a.js', 'exports.load = async (path) => {', 'function', 'load'],
  ['a.js', 'Store.prototype.open = function () {', 'function', 'open'],
  ['a.js', 'module.exports.once = fn => {', 'function', 'once'],
  ['a.ts', "  Red = 'red',", 'member', 'Red'],
  ['a.ts', '  ReadOnly = 1 << 2, // a flag', 'member', 'ReadOnly'],
  ['a.go', '\tStateOpen State = iota', 'const', 'StateOpen'],
  ['a.go', '\tstateOpen = iota + 1', 'const', 'stateOpen'],
  ['a.go', '\tMaxSize = 10', 'const', 'MaxSize'],
  ['a.go', '\tdefaultSize  = 4096', 'const', 'defaultSize'],
  ['a.go', '\tErrClosed = errors.New("closed")', 'const', 'ErrClosed'],
  ['a.py', "    ALWAYS = 'always'", 'variable', 'ALWAYS'],
  ['a.py', '    MAX_SIZE: int = 5', 'variable', 'MAX_SIZE'],
  ['a.rs', 'pub const LIMIT: usize = 5;', 'const', 'LIMIT'],
  ['a.rs', '    KilledBySigint = 130,', 'member', 'KilledBySigint'],
  ['a.c', 'static const char *names[] = {', 'const', 'names'],
  ['a.c', 'const unsigned int max_size = 5;', 'const', 'max_size'],
  ['a.cpp', 'constexpr int kLimit = 5;', 'const', 'kLimit'],
  ['a.h', '  STATE_OPEN = 1, /* open */', 'member', 'STATE_OPEN'],
  ['a.yaml', 'max-size: 5', 'key', 'max-size'],
  ['a.yml', '    - name: build', 'key', 'name'],
  ['a.yml', '"on":', 'key', 'on'],
  ['a.toml', '[tool.ruff]', 'table', 'tool.ruff'],
  ['a.toml', '[[package]]', 'table', 'package'],
  ['a.toml', 'line-length = 100', 'key', 'line-length'],
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
  ['a.js', '  this.size = 5'],
  ['a.js', '  req.url = next(path)'],
  ['a.ts', '  size: 5,'],
  ['a.ts', '  Red,'],
  ['a.ts', '  load(path, 5),'],
  ['a.go', '\tn = 10'],
  ['a.go', '\tbuf = append(buf, b0)'],
  ['a.go', '\tc.limit = 5'],
  ['a.go', '\t\treadLimit = 5'],
  ['a.py', '    size = 5'],
  ['a.py', '    MAX_SIZE == 5'],
  ['a.rs', '    size = 5;'],
  ['a.c', '  size = 5;'],
  ['a.c', '  const char *name;'],
  ['a.yaml', '- https://example.org/a'],
  ['a.yaml', '# size: 5'],
  ['a.toml', '# size = 5'],
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
    `${'a.'.repeat(150)}b`,
    `const ${'a * '.repeat(75)}`,
    `  ${'a-'.repeat(149)}`,
  ]
  for (const line of lines)
    for (const path of ['a.ts', 'a.java', 'a.cpp', 'a.rs', 'a.go', 'a.yml', 'a.toml'])
      readDefinition(path, line)
})
