//! Prints that the demo world is ready, and what to try.

use std::path::Path;
use std::time::Duration;

use crate::auth::PLATFORM_REALM;
use crate::embedded::dev_file::DevFile;
use crate::embedded::secrets::DEMO_PASSWORD;

/// Prints addresses, people and first steps.
pub(super) fn ready(file: &DevFile, path: &Path, took: Duration) {
    println!("\nThe demo world is ready after {:.1} s.\n", took.as_secs_f32());
    println!("  Demo site         {}", file.site_url);
    println!("  Operator console  {}/admin/operator/", file.base_url);
    println!("  Tenant console    {}/tenant/", file.base_url);
    println!("  Identity provider {}\n", file.auth_url);
    println!("  People (password: {DEMO_PASSWORD})");
    for user in &file.users {
        println!("    {:<8} {:<22} {}", user.username, user.roles.join(" and "), console(&user.realm));
    }
    println!("\n  What to try");
    println!("    1. Open the demo site, click the chat button and ask: When are you open?");
    println!("    2. Sign in to the tenant console as hanna: the overview names what needs attention.");
    println!("    3. Sign in to the operator console as olivia and look at the tenants.");
    println!("\n  Everything for scripts, with passwords: {}", path.display());
    println!("  Stop with Ctrl-C; the data stays. `demo --reset` (in a checkout `make reset`) deletes it.\n");
}

fn console(realm: &str) -> &'static str {
    if realm == PLATFORM_REALM { "operator console" } else { "tenant console" }
}
