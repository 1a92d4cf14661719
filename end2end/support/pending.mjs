// Documents that are read too soon for a test to see them wait.

/** Lets the page see every source with a document that waits, until `isEnough`, however soon it is read. */
export const keepWaiting = (page, isEnough = () => false) =>
  page.route(/\/sources\?/, async (route) => {
    const response = await route.fetch();
    const found = await response.json();
    if (!isEnough()) for (const source of found.items) source.pending = Math.max(source.pending, 1);
    await route.fulfill({ response, json: found });
  });
