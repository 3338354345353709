// The commands that store and delete the keys of providers. They share most of their code, so
// they load together.
import { login } from './login.ts'
import { logout } from './logout.ts'

export const keyVerbs = { login, logout }
