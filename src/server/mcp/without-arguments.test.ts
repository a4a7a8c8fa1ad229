import { expect, test } from 'vitest'
import { withoutArguments } from './without-arguments.ts'

const call = (args: string, more = '') =>
  `{"id":1,"method":"tools/call","params":{"name":"get_task", "arguments" : ${args}${more}}}`

test.each(['{}', '[]', '{"a":1,"a":2}', '{"a":"}\\"{","b":[{}]}', '{"params":{"arguments":{"a":[]}}}'])(
  'the arguments %s are replaced',
  (args) => {
    expect(withoutArguments(call(args))).toBe(call('{}'))
    expect(withoutArguments(call(args, ',"_meta":{"a":[1]}'))).toBe(call('{}', ',"_meta":{"a":[1]}'))
  },
)

test.each([
  '{"arguments":{}}',
  '{"params":{"name":"arguments"}}',
  '{"params":{"_meta":{"arguments":{}}}}',
  '{"result":{"arguments":{}}}',
  call('7'),
  call('{"a":"'),
  '"params"',
  '',
])('%s has no arguments to replace', (text) => expect(withoutArguments(text)).toBeUndefined())
