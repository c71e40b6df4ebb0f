/** Every scenario × every driver. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseScenarios } from '../scenarios/parse.ts';
import { runScenario } from '../scenarios/run.ts';
import { graphqlDriver, longWayDriver } from './graphql-driver.ts';
import { modelDriver } from './model-driver.ts';
import { storeDriver } from './store-driver.ts';

const folder = new URL('../scenarios/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.scenario'));
const scenarios = files.toSorted().flatMap((file) => parseScenarios(`test/scenarios/${file}`, readFileSync(new URL(file, folder), 'utf8')));

describe.for([modelDriver, storeDriver, graphqlDriver, longWayDriver])('on $name', (maker) => {
  test.for(scenarios)('$title', async (scenario) => {
    const driver = await maker.make();
    await expect(runScenario(scenario, driver)).resolves.toBeUndefined();
    await driver.close();
  });
});
