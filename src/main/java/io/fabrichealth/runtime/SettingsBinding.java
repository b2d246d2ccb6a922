package io.fabrichealth.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.PlaceholderResolutionException;
import org.springframework.util.PropertyPlaceholderHelper;
import org.springframework.util.unit.DataSize;

/**
 * Binds property sources to a record and collects all that is wrong with them, rather than stopping
 * at the first: unknown keys, values of the wrong kind, references that resolve to nothing.
 */
final class SettingsBinding {
  private static final Set<String> OF_THE_SYSTEM =
      Set.of(
          StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
          StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

  private final ConfigurationPropertyName root;
  private final List<ConfigurationPropertySource> sources;
  private final Binder binder;
  private final List<SettingsProblem> problems;
  private final Map<ConfigurationPropertyName, Class<?>> known = new HashMap<>();
  private final Set<ConfigurationPropertyName> failed = new LinkedHashSet<>();

  /**
   * @param values where values are looked for, the first that has one wins
   * @param references where {@code ${NAME}} is looked up
   * @param problems what is wrong is added here
   */
  SettingsBinding(
      String root,
      Iterable<PropertySource<?>> values,
      Iterable<PropertySource<?>> references,
      List<SettingsProblem> problems) {
    this.root = ConfigurationPropertyName.of(root);
    this.problems = problems;
    sources = new ArrayList<>();
    ConfigurationPropertySources.from(values).forEach(sources::add);
    binder =
        new Binder(
            sources,
            new PropertySourcesPlaceholdersResolver(
                references, new PropertyPlaceholderHelper("${", "}", ":", '\\', false)));
  }

  /** The bound value; null in it stands for what is absent or wrong. */
  <T> T bind(Class<T> type) {
    T bound = binder.bindOrCreate(root, Bindable.of(type), new Collecting());
    rejectUnknownKeys();
    return bound;
  }

  /** Whether the key was found and is wrong, so that nothing more need be said of it. */
  boolean failed(String key) {
    return failed.contains(name(key));
  }

  /** Where the value of the key stands, or the first of those below it. */
  SettingsPlace place(String key) {
    return place(name(key));
  }

  private SettingsPlace place(ConfigurationPropertyName name) {
    for (ConfigurationPropertySource source : sources) {
      ConfigurationProperty property = source.getConfigurationProperty(name);
      if (property != null) {
        return place(property);
      }
    }
    for (ConfigurationPropertySource source : sources) {
      if (source instanceof IterableConfigurationPropertySource names) {
        for (ConfigurationPropertyName below : names) {
          ConfigurationProperty property =
              name.isAncestorOf(below) ? source.getConfigurationProperty(below) : null;
          if (property != null) {
            return place(property);
          }
        }
      }
    }
    return SettingsPlace.NOWHERE;
  }

  /** Number of elements of a list in the source that says something of it. */
  private int size(ConfigurationPropertyName list) {
    for (ConfigurationPropertySource source : sources) {
      if (source instanceof IterableConfigurationPropertySource names) {
        int size =
            names.stream()
                .filter(list::isAncestorOf)
                .map(name -> name.getElement(list.getNumberOfElements(), Form.ORIGINAL))
                .mapToInt(SettingsBinding::index)
                .max()
                .orElse(-1);
        if (size >= 0) {
          return size + 1;
        }
      }
    }
    return 0;
  }

  private static int index(String element) {
    try {
      return Integer.parseInt(element);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static SettingsPlace place(ConfigurationProperty property) {
    ConfigurationPropertySource source = property.getSource();
    return SettingsPlace.of(
        property.getOrigin(), source == null ? "configuration" : sourceName(source));
  }

  private ConfigurationPropertyName name(String key) {
    return key.isEmpty() ? root : ConfigurationPropertyName.of(root + "." + key);
  }

  private void rejectUnknownKeys() {
    Set<ConfigurationPropertyName> unknown = new LinkedHashSet<>();
    for (ConfigurationPropertySource source : sources) {
      if (source instanceof IterableConfigurationPropertySource names
          && !OF_THE_SYSTEM.contains(sourceName(source))) {
        names.stream()
            .filter(name -> root.isAncestorOf(name) && !known.containsKey(name))
            .map(this::uppermostUnknown)
            .forEach(unknown::add);
      }
    }
    unknown.forEach(this::rejectUnknown);
  }

  private ConfigurationPropertyName uppermostUnknown(ConfigurationPropertyName name) {
    ConfigurationPropertyName uppermost = name;
    while (!known.containsKey(uppermost.getParent())) {
      uppermost = uppermost.getParent();
    }
    return uppermost;
  }

  private void rejectUnknown(ConfigurationPropertyName name) {
    ConfigurationPropertyName parent = name.getParent();
    Class<?> parentType = known.getOrDefault(parent, Object.class);
    if (failed.contains(parent)
        || (name.isLastElementIndexed() && Collection.class.isAssignableFrom(parentType))) {
      return; // said already, or an element of a list that another source replaces
    }
    if (!parentType.isRecord()) {
      boolean list = Collection.class.isAssignableFrom(parentType);
      problems.add(
          place(name)
              .problem(
                  parent.toString(),
                  list ? "keys where a list is expected" : "more than one value",
                  list ? "a list, each element beginning with '- '" : allowed(parentType)));
      return;
    }
    List<String> siblings =
        known.keySet().stream()
            .filter(parent::isParentOf)
            .map(sibling -> sibling.getLastElement(Form.DASHED))
            .sorted()
            .toList();
    problems.add(
        place(name)
            .problem(
                name.toString(),
                SettingsNames.unknown("key", name.getLastElement(Form.DASHED), siblings),
                siblings.isEmpty() ? null : String.join(", ", siblings)));
  }

  private static String allowed(Class<?> type) {
    if (type == Duration.class) {
      return "a duration such as 500ms, 10s or 1m";
    }
    if (type == DataSize.class) {
      return "a size such as 512KB or 32MB";
    }
    if (type == Integer.class) {
      return "a whole number";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type.isRecord()) {
      return Arrays.stream(type.getRecordComponents())
          .map(component -> dashed(component.getName()))
          .collect(Collectors.joining(", ", "the keys ", ""));
    }
    return "one plain value";
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static String sourceName(ConfigurationPropertySource source) {
    return source.getUnderlyingSource() instanceof PropertySource<?> named ? named.getName() : "";
  }

  /** Notes what the binder asks for, and goes on where a value is wrong. */
  private final class Collecting implements BindHandler {

    @Override
    public <T> @Nullable Bindable<T> onStart(
        ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
      known.put(name, target.getType().toClass());
      return target;
    }

    @Override
    public @Nullable Object onFailure(
        ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
      Class<?> type = target.getType().toClass();
      if (error instanceof UnboundConfigurationPropertiesException) {
        return elements(name, target, context.getBinder());
      }
      failed.add(name);
      String unset = unresolved(error);
      problems.add(
          unset == null
              ? place(name).problem(name.toString(), problem(context, type), allowed(type))
              : place(name)
                  .problem(
                      name.toString(),
                      "${" + unset + "} is not set",
                      "the name of an environment variable that is set"));
      return null;
    }

    /**
     * The binder ends a list at the first element of which nothing is right, and refuses the list
     * for those after it; what is wrong with them shall be told too.
     */
    private List<Object> elements(
        ConfigurationPropertyName list, Bindable<?> target, Binder elementBinder) {
      List<Object> elements = new ArrayList<>();
      Bindable<Object> element = Bindable.of(target.getType().getGeneric());
      for (int i = 0; i < size(list); i++) {
        elements.add(elementBinder.bindOrCreate(list.append("[" + i + "]"), element, this));
      }
      return elements;
    }

    private static @Nullable String unresolved(Exception error) {
      for (Throwable cause = error; cause != null; cause = cause.getCause()) {
        if (cause instanceof PlaceholderResolutionException unresolved) {
          return unresolved.getPlaceholder();
        }
      }
      return null;
    }

    private static String problem(BindContext context, Class<?> type) {
      // A text is never wrong by itself, so what is quoted here is no secret; but a secret may
      // stand where keys should.
      ConfigurationProperty property = context.getConfigurationProperty();
      return property == null || type.isRecord()
          ? "not of the kind that is expected"
          : "'" + property.getValue() + "' is not understood";
    }
  }
}
