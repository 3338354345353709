// Runs in every test file before it: its end is the end of what support modules hold for it.
import { afterAll } from 'vitest'
import { endFile } from './support/file-end.ts'

afterAll(endFile)
