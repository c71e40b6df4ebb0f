import { describe, expect, test } from 'vitest';
import { authenticateNobody } from '../../src/auth/authenticate.ts';
import { SCOPES } from '../../src/domain/access.ts';

const who = (tenants: readonly unknown[], query = '') => authenticateNobody({ query, tenants, authorizations: [] });

describe('whoever calls', () => {
  test.each([
    ['nothing', [undefined, null], 'default'],
    ['a header', ['acme'], 'acme'],
    ['a parameter', [undefined, 'acme'], 'acme'],
    ['both alike', ['acme', 'acme'], 'acme'],
    ['the longest name', ['a'.repeat(64)], 'a'.repeat(64)],
  ])('with %s is the tenant of that name, with every scope', (_name, tenants, tenant) => {
    expect(who(tenants)).toEqual({ ok: true, principal: { tenant, key: null, actor: null, scopes: new Set(SCOPES), queues: null } });
  });

  test.each([['UPPER'], ['a_b'], [''], ['a'.repeat(65)], ['acme, other'], [42], [{}], ['é'], ['../x']])(
    'as %j is refused, and the value is not repeated',
    (tenant) => {
      const refused = who([tenant]);
      expect(refused).toMatchObject({ ok: false, refusal: { code: 'BAD_USER_INPUT', issues: [{ path: ['x-leasequeue-tenant'] }] } });
      if (tenant === 'UPPER') expect(JSON.stringify(refused)).not.toContain('UPPER');
    },
  );

  test('as two tenants at once is refused', () => {
    expect(who(['acme', 'other'])).toMatchObject({ ok: false, refusal: { code: 'BAD_USER_INPUT' } });
  });

  test.each(['token=s3cret', 'a=1&API_KEY=s3cret', 'apikey=', 'Authorization=Bearer%20s3cret', 'access_token=s3cret', '%74oken=s3cret'])(
    'with credentials in the address, %s, is refused without repeating them (B133)',
    (query) => {
      const refused = who([], query);
      expect(refused).toMatchObject({ ok: false, refusal: { code: 'UNAUTHENTICATED' } });
      expect(JSON.stringify(refused)).toMatch(/header/);
      expect(JSON.stringify(refused)).not.toContain('s3cret');
    },
  );

  test('with other parameters in the address is nobody in particular', () => {
    expect(who([], 'query=%7Btoken%7D&variables=%7B%22token%22%3A1%7D')).toMatchObject({ ok: true });
  });
});
