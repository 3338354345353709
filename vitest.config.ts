// How the tests run: sources as they are, prose files as strings, two workers at most.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [
    {
      name: 'prose',
      transform: (code, id) =>
        /\.(md|lua)$/.test(id) ? `export default ${JSON.stringify(code)}` : undefined,
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', './test/reporter.ts'],
  },
})
