//! The users of a realm: those of the realm file with their changes at run time, and those created at run time.
//!
//! Differences from the realm file are stored in one file next to the signing keys, written atomically, with hashes
//! instead of passwords.

mod file;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use parking_lot::RwLock;

use crate::{
    error::Error,
    password_hash::PasswordHash,
    realm::{Realm, User},
};

/// Maximum users created at run time.
const MAX_PEOPLE: usize = 100_000;

/// The people of one realm.
pub(crate) struct People {
    path: PathBuf,
    state: RwLock<State>,
}

#[derive(Default)]
struct State {
    people: BTreeMap<String, Arc<User>>,
    /// Ids of people who differ from the realm file.
    changed: BTreeSet<String>,
    /// Ids of people of the realm file who were removed.
    removed: BTreeSet<String>,
}

/// Why a change of a person is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    Unknown,
    SameUsername,
    SameEmail,
    Full,
    /// The file cannot be written; nothing has changed.
    Unwritten(std::io::Error),
}

impl People {
    /// The people of a realm, with what was changed in earlier runs.
    pub(crate) fn load(folder: &Path, realm: &Realm) -> Result<Self, Error> {
        let path = folder.join("people.json");
        let stored = file::read(&path)?;
        let mut state = State { removed: stored.removed, ..State::default() };
        for user in realm.users.iter().filter(|user| !state.removed.contains(&user.id)) {
            state.people.insert(user.id.clone(), Arc::new(user.clone()));
        }
        for user in stored.people {
            state.changed.insert(user.id.clone());
            state.people.insert(user.id.clone(), Arc::new(user));
        }
        Ok(Self { path, state: RwLock::new(state) })
    }

    pub(crate) fn get(&self, id: &str) -> Option<Arc<User>> {
        self.state.read().people.get(id).cloned()
    }

    /// The user with this name. Names are compared in lower case, as in Keycloak.
    pub(crate) fn find_by_username(&self, username: &str) -> Option<Arc<User>> {
        let username = username.trim().to_lowercase();
        self.state.read().people.values().find(|user| user.username == username).cloned()
    }

    /// The person with this name who may sign in.
    pub(crate) fn enabled(&self, username: &str) -> Option<Arc<User>> {
        self.find_by_username(username).filter(|user| user.enabled)
    }

    /// All people, ordered by name.
    pub(crate) fn all(&self) -> Vec<Arc<User>> {
        let mut all: Vec<_> = self.state.read().people.values().cloned().collect();
        all.sort_by(|a, b| a.username.cmp(&b.username));
        all
    }

    pub(crate) fn add(&self, user: User) -> Result<(), Refused> {
        let mut state = self.state.write();
        if state.people.len() >= MAX_PEOPLE {
            return Err(Refused::Full);
        }
        state.check_unique(&user)?;
        self.put(&mut state, user)
    }

    pub(crate) fn change(&self, id: &str, change: impl FnOnce(&mut User)) -> Result<(), Refused> {
        let mut state = self.state.write();
        let mut user = state.people.get(id).map(|user| User::clone(user)).ok_or(Refused::Unknown)?;
        change(&mut user);
        state.check_unique(&user)?;
        self.put(&mut state, user)
    }

    pub(crate) fn remove(&self, id: &str) -> Result<(), Refused> {
        let mut state = self.state.write();
        let old = state.people.remove(id).ok_or(Refused::Unknown)?;
        let was_changed = state.changed.remove(id);
        state.removed.insert(id.to_owned());
        self.write(&state).inspect_err(|_| {
            state.people.insert(id.to_owned(), old);
            state.removed.remove(id);
            if was_changed {
                state.changed.insert(id.to_owned());
            }
        })
    }

    fn put(&self, state: &mut State, mut user: User) -> Result<(), Refused> {
        // The file contains no plain-text password.
        if let Some(password) = user.password.take() {
            user.password_hash = Some(PasswordHash::new(&password));
        }
        let id = user.id.clone();
        let old = state.people.insert(id.clone(), Arc::new(user));
        let is_first = state.changed.insert(id.clone());
        self.write(state).inspect_err(|_| {
            match old {
                Some(old) => state.people.insert(id.clone(), old),
                None => state.people.remove(&id),
            };
            if is_first {
                state.changed.remove(&id);
            }
        })
    }

    fn write(&self, state: &State) -> Result<(), Refused> {
        let people = state.changed.iter().filter_map(|id| state.people.get(id)).map(|user| User::clone(user)).collect();
        let contents = file::Contents { people, removed: state.removed.clone() };
        file::write(&self.path, &contents).map_err(Refused::Unwritten)
    }
}

impl State {
    fn check_unique(&self, user: &User) -> Result<(), Refused> {
        let same_email = |other: &User| {
            user.email.as_ref().zip(other.email.as_ref()).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
        };
        for other in self.people.values().filter(|other| other.id != user.id) {
            if other.username == user.username {
                return Err(Refused::SameUsername);
            }
            if same_email(other) {
                return Err(Refused::SameEmail);
            }
        }
        Ok(())
    }
}
