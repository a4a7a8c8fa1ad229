import { expect, test } from 'vitest'
import { createMemberClient } from './member.ts'

test('URLs to open tolerate a slash after baseUrl, and name the workspace only if there is one', () => {
  const urlsOf = (workspaceId?: string) => {
    const api = createMemberClient({
      baseUrl: 'https://example.com/handrail/',
      ...(workspaceId && { workspaceId }),
    })
    return [
      api.inboxEventsUrl('1-2-3'),
      api.exportUrl({ format: 'csv' }),
      api.auditExportUrl({ format: 'jsonl' }),
    ].map((url) => url.replace('https://example.com/handrail/api/v1', ''))
  }
  expect(urlsOf()).toEqual(['/inbox/events?after=1-2-3', '/export?format=csv', '/audit/export?format=jsonl'])
  expect(urlsOf('wsp_1')).toEqual([
    '/inbox/events?workspace=wsp_1&after=1-2-3',
    '/export?format=csv&workspace=wsp_1',
    '/audit/export?format=jsonl&workspace=wsp_1',
  ])
})
