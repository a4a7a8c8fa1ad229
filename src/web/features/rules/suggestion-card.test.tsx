import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { RuleSuggestion } from '../../../contract/rules/rule.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { SuggestionCard } from './suggestion-card.tsx'

vi.mock('@tanstack/react-router', () => ({ Link: () => null }))

test.each([
  [{ reason: 'Damaged', notify: true }, 'People answered “Approve” (reason: Damaged, notify: true) to 96 of'],
  [undefined, 'People answered “Approve” to 96 of'],
])('the counted answer is shown with its values: %j', (data, text) => {
  const suggestion = {
    ...{ name: 'Approve small refunds', when: [], agreed: 96, covered: 100, considered: 120, atLeast: 0.9 },
    ...{ perDay: 3, disagreements: [], answer: { actionId: 'approve', actionTitle: 'Approve', data } },
  } as unknown as RuleSuggestion
  render(
    <WorkspaceContext value={{ workspaceId: 'wsp_1' } as never}>
      <SuggestionCard
        appAndType={{ app: 'shop', type: 'refund' }}
        suggestion={suggestion}
        suggestionKey="1"
        onDismiss={() => undefined}
      />
    </WorkspaceContext>,
  )
  expect(screen.getByText(/^People answered/).textContent).toContain(text)
})
