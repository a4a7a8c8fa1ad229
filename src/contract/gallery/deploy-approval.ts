import type { Example } from './example.ts'

export const deployApproval: Example = {
  id: 'deploy-approval',
  title: 'Approve a deploy',
  about:
    'Shows the change, its checks and its risk on one page. If nobody answers in time, the deploy does not happen.',
  payload: {
    task: {
      type: 'deploy-approval',
      name: 'Deploy checkout 3.18.0 to production',
      description:
        'All checks are green. One change touches how taxes are rounded, so a person should look at it.',
    },
    app: 'release-agent',
    version: '0.12.0',
    priority: 'urgent',
    expiresInSeconds: 7200,
    onExpire: { actionId: 'hold' },
    context: {
      data: {
        risk: 'Medium',
        change: {
          before:
            'export function taxOf(net: number, rate: number) {\n  return Math.round(net * rate)\n}\n\nexport function totalOf(items: Item[], rate: number) {\n  return items.reduce((sum, item) => sum + item.net + taxOf(item.net, rate), 0)\n}\n',
          after:
            'export function taxOf(net: number, rate: number) {\n  return Math.round(net * rate)\n}\n\nexport function totalOf(items: Item[], rate: number) {\n  const net = items.reduce((sum, item) => sum + item.net, 0)\n  return net + taxOf(net, rate)\n}\n',
        },
        checks: [
          { check: 'Unit tests', result: 'passed', took: '48 s' },
          { check: 'Checkout in a browser', result: 'passed', took: '3 min 12 s' },
          {
            check: "Last week's totals recomputed",
            result: '14 of 20,311 differ by 1 cent',
            took: '52 s',
          },
        ],
        rollback: 'handrail-ops rollback checkout --to 3.17.4',
      },
      ui: {
        risk: { 'ui:title': 'Risk', 'ui:widget': 'badge' },
        change: {
          'ui:title': 'What changes',
          'ui:description': 'Tax is now rounded once per order instead of once per item.',
          'ui:widget': 'diff',
        },
        checks: { 'ui:title': 'Checks', 'ui:widget': 'table' },
        rollback: { 'ui:title': 'Rollback', 'ui:widget': 'code' },
      },
    },
    actions: [
      { id: 'deploy', title: 'Deploy', outcome: 'positive' },
      {
        id: 'hold',
        title: 'Hold',
        outcome: 'negative',
        description: 'Nothing is deployed. The branch stays as it is.',
      },
    ],
  },
}
